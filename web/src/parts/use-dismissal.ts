import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Closes an open `<details>` as visitors expect it of a menu: by Escape, by a press or a focus outside, and when the
 * route changes. Escape moves the focus to the summary.
 */
export function useDismissal(details: RefObject<HTMLDetailsElement | null>): void {
  useLayoutEffect(() => {
    const element = details.current;
    if (element === null) return undefined;
    const close = (): void => {
      element.open = false;
    };
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && !element.contains(target)) close();
    };
    const closeByKey = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape' || !element.open) return;
      close();
      element.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    document.addEventListener('keydown', closeByKey);
    addEventListener('hashchange', close);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      document.removeEventListener('keydown', closeByKey);
      removeEventListener('hashchange', close);
    };
  }, [details]);
}
