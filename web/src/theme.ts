import { useEffect, useState } from 'preact/hooks';

export type Theme = 'light' | 'dark';

/** The visitor's choice; stored only if it differs from the theme of the system. */
const storageName = 'vatfx-theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** The current theme, and a function that changes to the other one. */
export function useTheme(): readonly [Theme, () => void] {
  const [choice, setChoice] = useState(readChoice);
  const [system, setSystem] = useState<Theme>(systemIsDark.matches ? 'dark' : 'light');
  useEffect(() => {
    const follow = (): void => setSystem(systemIsDark.matches ? 'dark' : 'light');
    systemIsDark.addEventListener('change', follow);
    return () => systemIsDark.removeEventListener('change', follow);
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

/** Applies the stored choice. Called before anything is drawn. */
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
