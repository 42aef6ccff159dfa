import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * Moves the focus to the answer to a search once it is there, and scrolls to it if it is not near the top of the window:
 * on a phone the fields take half of it.
 *
 * The result `expect` is called for each search of the visitor.
 */
export function useAnswerFocus(isAnswered: boolean): {
  readonly answer: RefObject<HTMLElement | null>;
  readonly expect: () => void;
} {
  const answer = useRef<HTMLElement>(null);
  const handled = useRef(0);
  const [searches, setSearches] = useState(0);
  useEffect(() => {
    const element = answer.current;
    if (!isAnswered || searches === handled.current || element === null) return;
    handled.current = searches;
    element.focus({ preventScroll: true });
    if (element.getBoundingClientRect().top > innerHeight / 3) element.scrollIntoView();
  }, [isAnswered, searches]);
  return { answer, expect: () => setSearches((count) => count + 1) };
}
