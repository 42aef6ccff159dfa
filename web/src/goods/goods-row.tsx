import type { JSX } from 'preact';
import { LongText } from '../parts/long-text.tsx';
import type { CategoryRow } from '../wire.ts';
import { countInWords, dateInWords } from '../words.ts';
import { commentOf, explainRate, printCn, rateInWords } from './goods-words.ts';

/** More codes are folded. */
const codesMax = 12;

/** A row of TEDB: rate, codes, and the comment with its conditions. */
export function GoodsRow(props: {
  readonly row: CategoryRow;
  readonly standard: number | undefined;
}): JSX.Element {
  const { row, standard } = props;
  const { cn_codes, cpa_codes, matched, covers, territory, scope, situation_on } = row;
  const comment = commentOf(row);
  return (
    <li class="goods-row">
      <p>
        <strong class="goods-rate">{rateInWords(row)}</strong>{' '}
        <span class="goods-kind">{explainRate(row, standard)}</span>
      </p>
      {territory === null ? null : (
        <p class="goods-territory">
          Only in: <strong>{territory}</strong>
        </p>
      )}
      {scope === null ? null : <p class="goods-territory">For imports only</p>}
      {covers === 'part' ? (
        <p class="goods-territory">About a part of the requested code only</p>
      ) : null}
      <Codes system="CN" codes={cn_codes} matched={matched} print={printCn} />
      <Codes system="CPA" codes={cpa_codes} matched={matched} print={(code) => code} />
      {comment === undefined ? (
        <p class="hint">Without a comment.</p>
      ) : (
        <LongText text={comment} label="Whole comment" />
      )}
      <p class="hint">Reported for the period from {dateInWords(situation_on)}</p>
    </li>
  );
}

/** The codes of a row, the matching one marked and first. */
function Codes(props: {
  readonly system: string;
  readonly codes: readonly string[];
  readonly matched: string | null;
  readonly print: (code: string) => string;
}): JSX.Element | null {
  const { system, codes, matched, print } = props;
  if (codes.length === 0) return null;
  const found = codes.filter((code) => code === matched);
  const ordered = [...found, ...codes.filter((code) => code !== matched)];
  const [first, rest] = [ordered.slice(0, codesMax), ordered.slice(codesMax)];
  return (
    <div class="codes">
      <p>
        {system}{' '}
        {first.map((code, at) => (
          <span key={code}>
            {at === 0 ? '' : ', '}
            {code === matched ? (
              <mark>{print(code)}</mark>
            ) : (
              <span class="goods-code">{print(code)}</span>
            )}
          </span>
        ))}
      </p>
      {rest.length === 0 ? null : (
        <details>
          <summary>{countInWords(rest.length, 'more code')}</summary>
          <p>{rest.map(print).join(', ')}</p>
        </details>
      )}
    </div>
  );
}
