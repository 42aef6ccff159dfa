import { useLayoutEffect, useState } from 'preact/hooks';

export type Theme = 'light' | 'dark';

/** The key of `localStorage` for the visitor's choice, which is stored only if it differs from the system's theme. */
const storageName = 'vatfx-theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** The current theme, and a function that changes to the other one. */
export function useTheme(): readonly [Theme, () => void] {
  const [choice, setChoice] = useState(readChoice);
  const [system, setSystem] = useState<Theme>(systemIsDark.matches ? 'dark' : 'light');
  useLayoutEffect(() => {
    const update = (): void => setSystem(systemIsDark.matches ? 'dark' : 'light');
    systemIsDark.addEventListener('change', update);
    return () => systemIsDark.removeEventListener('change', update);
  }, []);
  const shown = choice ?? system;
  const change = (): void => {
    const other = shown === 'dark' ? 'light' : 'dark';
    const next = other === system ? undefined : other;
    if (next === undefined) localStorage.removeItem(storageName);
    else localStorage.setItem(storageName, next);
    apply(next);
    setChoice(next);
  };
  return [shown, change];
}

/**
 * Calls `onChange` before the page is printed, and after. Meanwhile the document has the light theme, because paper is
 * light and a canvas has its colours from when it was drawn. Returns a function that ends this.
 */
export function followPrinting(onChange: (isPrinting: boolean) => void): () => void {
  const begin = (): void => {
    apply('light');
    onChange(true);
  };
  const end = (): void => {
    apply(readChoice());
    onChange(false);
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  return () => {
    removeEventListener('beforeprint', begin);
    removeEventListener('afterprint', end);
  };
}

/** Applies the stored choice. Call it before the first render, so that the page does not change its colours. */
export function applyStoredTheme(): void {
  apply(readChoice());
}

function apply(choice: Theme | undefined): void {
  if (choice === undefined) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
}

function readChoice(): Theme | undefined {
  const stored = localStorage.getItem(storageName);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
}
