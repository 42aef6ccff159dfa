import type { JSX } from 'preact';
import { numberInWords } from './check-words.ts';
import type { ReadNumbers } from './read-numbers.ts';

const shownMax = 10;

/** What was understood of a list, before anything is checked; nothing for one number or none. */
export function UnderstoodNumbers({ read }: { readonly read: ReadNumbers }): JSX.Element | null {
  const { numbers } = read;
  if (numbers.length < 2 && read.unread.length === 0) return null;
  if (numbers.length === 0) return null;
  const more = numbers.length - shownMax;
  const shown = numbers.slice(0, shownMax).map(numberInWords).join(', ');
  return (
    <p class="hint understood">
      Understood: {shown}
      {more > 0 ? ` and ${more} more` : ''}.
    </p>
  );
}
