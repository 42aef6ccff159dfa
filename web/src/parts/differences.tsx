import type { JSX } from 'preact';
import { countInWords, shortDate } from '../words.ts';

/** The differences between two dates, one sentence each. */
export function Differences(props: {
  readonly from: string;
  readonly to: string;
  readonly sentences: readonly string[];
  readonly hint?: string;
}): JSX.Element {
  const { from, to, sentences, hint } = props;
  const span = `between ${shortDate(from)} and ${shortDate(to)}`;
  return (
    <section class="differences" aria-label="Differences" role="status">
      <h2>
        {sentences.length === 0 ? 'No difference' : countInWords(sentences.length, 'difference')}{' '}
        {span}
      </h2>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
    </section>
  );
}
