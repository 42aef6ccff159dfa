import type { JSX } from 'preact';
import type { Erratum } from '../wire.ts';
import { Citation } from './citation.tsx';
import { erratumInWords } from './errata.ts';

/** Errata with the law that each of them cites (rule X3); nothing if there are none. */
export function ErrataList({
  errata,
}: {
  readonly errata: readonly Erratum[];
}): JSX.Element | null {
  if (errata.length === 0) return null;
  return (
    <section aria-labelledby="errata-title" class="errata">
      <h2 id="errata-title">Known errors of the source</h2>
      <ul>
        {errata.map((erratum) => (
          <li key={erratum.id}>
            {erratumInWords(erratum)}. <Citation of={erratum} />
          </li>
        ))}
      </ul>
    </section>
  );
}
