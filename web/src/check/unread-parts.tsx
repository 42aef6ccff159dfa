import type { JSX } from 'preact';
import { Notice } from '../parts/notice.tsx';
import { countInWords } from '../words.ts';
import type { UnreadPart } from './read-numbers.ts';

const shownMax = 20;

/** The parts of a list that were not checked, each with its line and the reason. */
export function UnreadParts({
  parts,
}: {
  readonly parts: readonly UnreadPart[];
}): JSX.Element | null {
  if (parts.length === 0) return null;
  const more = parts.length - shownMax;
  return (
    <Notice
      kind="problem"
      title={`${countInWords(parts.length, 'entry', 'entries')} could not be checked`}
    >
      <p>They are still in the field above.</p>
      <ul class="unread">
        {parts.slice(0, shownMax).map(({ line, text, fault }) => (
          <li key={`${line} ${text}`}>
            Line {line}, “{text.slice(0, 40)}”: {fault}.
          </li>
        ))}
      </ul>
      {more > 0 ? <p>And {more} more.</p> : null}
    </Notice>
  );
}
