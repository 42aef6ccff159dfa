import type { JSX } from 'preact';
import { Notice } from '../parts/notice.tsx';
import { countInWords } from '../words.ts';
import type { UnreadPart } from '../../../src/vat-check/reading/read-numbers.ts';

const shownMax = 20;

/** Lines that were not sent, each with the reason. */
export function UnreadParts(props: {
  readonly parts: readonly UnreadPart[];
  /** What happened to them: “could not be checked”. */
  readonly children: string;
  /** Opens the form with these lines; left out if it is open. */
  readonly onCorrect?: (() => void) | undefined;
}): JSX.Element | null {
  const { parts, children, onCorrect } = props;
  if (parts.length === 0) return null;
  return (
    <Notice kind="problem" title={`${countInWords(parts.length, 'line')} ${children}`}>
      {onCorrect === undefined ? (
        <>
          <p>They are still in the field.</p>
          <UnreadList parts={parts} />
        </>
      ) : (
        <>
          <details>
            <summary>Which, and why</summary>
            <UnreadList parts={parts} />
          </details>
          <button type="button" onClick={onCorrect}>
            Correct {parts.length === 1 ? 'it' : 'them'}
          </button>
        </>
      )}
    </Notice>
  );
}

export function UnreadList({ parts }: { readonly parts: readonly UnreadPart[] }): JSX.Element {
  const more = parts.length - shownMax;
  return (
    <ul class="unread">
      {parts.slice(0, shownMax).map(({ line, text, fault }) => (
        <li key={`${line} ${text}`}>
          Line {line}, “{text.slice(0, 40)}”: {fault}.
        </li>
      ))}
      {more > 0 ? <li>And {more} more.</li> : null}
    </ul>
  );
}
