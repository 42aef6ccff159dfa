import type { JSX } from 'preact';
import type { Erratum, GoodsErratum } from '../wire.ts';
import { dateInWords } from '../words.ts';

/** An address in a text, without the punctuation after it. */
const address = /(https?:\/\/\S*[^\s;,.)])/;

/** The law that an erratum cites, where it was read, and remarks (rules X3, X4). */
export function Citation({ of }: { readonly of: Erratum | GoodsErratum }): JSX.Element {
  const { legalBasis, reference, seen, note, by, fixedInSource } = of;
  return (
    <>
      <span class="hint">
        {legalBasis}
        {reference === null ? null : (
          <>
            ; <Reference text={reference} />
          </>
        )}
        {seen === 'secondary' ? '; read in a secondary source' : ''}.
      </span>
      {note === null ? null : <span class="hint"> {note}</span>}
      {by === 'operator' ? <span class="hint"> Added by the operator of this service.</span> : null}
      {fixedInSource === null ? null : (
        <span class="hint"> TEDB had it right in its answer for {dateInWords(fixedInSource)}.</span>
      )}
    </>
  );
}

/** A text whose addresses are links. */
function Reference({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {text.split(address).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <a key={at} href={part} rel="noreferrer">
            {part}
          </a>
        ),
      )}
    </>
  );
}
