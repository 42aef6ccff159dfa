import { useEffect, useState } from 'preact/hooks';

export type Theme = 'light' | 'dark';

/** Only the wish to differ from the system is kept. */
const storageName = 'vatfx-theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** The theme that is shown, and what changes to the other one. */
export function useTheme(): readonly [Theme, () => void] {
  const [wish, setWish] = useState<Theme | null>(readWish);
  const [system, setSystem] = useState<Theme>(systemIsDark.matches ? 'dark' : 'light');
  useEffect(() => {
    const follow = (): void => setSystem(systemIsDark.matches ? 'dark' : 'light');
    systemIsDark.addEventListener('change', follow);
    return () => systemIsDark.removeEventListener('change', follow);
  }, []);
  const shown = wish ?? system;
  const change = (): void => {
    const other = shown === 'dark' ? 'light' : 'dark';
    const next = other === system ? null : other;
    keepWish(next);
    applyWish(next);
    setWish(next);
  };
  return [shown, change];
}

/** Shows what was wished for last time; before anything is drawn. */
export function applyKeptTheme(): void {
  applyWish(readWish());
}

function applyWish(wish: Theme | null): void {
  if (wish === null) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = wish;
}

function readWish(): Theme | null {
  const kept = localStorage.getItem(storageName);
  return kept === 'light' || kept === 'dark' ? kept : null;
}

function keepWish(wish: Theme | null): void {
  if (wish === null) localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, wish);
}
