import type { JSX } from 'preact';
import { numberInWords } from './check-words.ts';
import type { ReadNumbers } from '../../../src/vat-check/reading/read-numbers.ts';

const shownMax = 10;

/** The first numbers that were read in a text, before anything is checked. One number without other lines needs no such list. */
export function UnderstoodNumbers({ read }: { readonly read: ReadNumbers }): JSX.Element | null {
  const { numbers, unread } = read;
  if (numbers.length === 0 || (numbers.length === 1 && unread.length === 0)) return null;
  const more = numbers.length - shownMax;
  const shown = numbers.slice(0, shownMax).map(numberInWords).join(', ');
  return (
    <p class="hint understood">
      Understood: {shown}
      {more > 0 ? ` and ${more} more` : ''}.
    </p>
  );
}
