import type { JSX } from 'preact';
import type { Erratum } from '../wire.ts';
import { dateInWords } from '../words.ts';
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
            {erratumInWords(erratum)}. <span class="hint">{citationOf(erratum).join('; ')}.</span>
            {erratum.note === null ? null : <span class="hint"> {erratum.note}</span>}
            {erratum.by === 'operator' ? (
              <span class="hint"> Added by the operator of this service.</span>
            ) : null}
            {erratum.fixedInSource === null ? null : (
              <span class="hint">
                {' '}
                TEDB had it right in its answer for {dateInWords(erratum.fixedInSource)}.
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function citationOf({ legalBasis, reference }: Erratum): readonly string[] {
  return reference === null ? [legalBasis] : [legalBasis, reference];
}
