import type { JSX } from 'preact';
import { countInWords, shortDate } from '../words.ts';
import { listMax, LongText } from './long-text.tsx';

/** The differences between two dates, one sentence each. */
export function Differences(props: {
  readonly from: string;
  readonly to: string;
  readonly differences: readonly {
    readonly sentence: string;
    /** The conditions of the rates in the sentence. */
    readonly comments?: readonly string[];
  }[];
  readonly hint?: string;
}): JSX.Element {
  const { from, to, differences, hint } = props;
  const span = `between ${shortDate(from)} and ${shortDate(to)}`;
  return (
    <section class="differences" aria-label="Differences" role="status">
      <h2>
        {differences.length === 0
          ? 'No difference'
          : countInWords(differences.length, 'difference')}{' '}
        {span}
      </h2>
      <ul>
        {differences.map(({ sentence, comments = [] }) => (
          <li key={sentence}>
            {sentence}
            {comments.map((comment) => (
              <div key={comment} class="hint">
                <LongText text={comment} label="Whole comment" max={listMax} />
              </div>
            ))}
          </li>
        ))}
      </ul>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
    </section>
  );
}
