import { Fragment, type JSX } from 'preact';
import { beginningOf, LongText } from '../parts/long-text.tsx';
import type { CategoryRow } from '../wire.ts';
import { countInWords, dateInWords } from '../words.ts';
import { commentOf, daysInWords, explainRate, printCn, rateInWords } from './goods-words.ts';

/** More codes are folded. */
const codesMax = 12;

type RowProps = {
  readonly row: CategoryRow;
  readonly standard: number | undefined;
};

/** A row of TEDB: rate, comment with its conditions, and codes. */
export function GoodsRow({ row, standard }: RowProps): JSX.Element {
  const comment = commentOf(row);
  return (
    <li class="goods-row">
      <p>
        <Rate row={row} /> <span class="goods-kind">{explainRate(row, standard)}</span>
      </p>
      {comment === undefined ? null : <LongText text={comment} label="Whole comment" />}
      <Facts row={row} />
    </li>
  );
}

/** A row in a list of many: rate and comment. A click shows the rest. */
export function BriefRow(
  props: RowProps & {
    /** A longer comment is cut until the visitor opens the row. */
    readonly commentMax: number;
    /** Whether the name of the category is shown as well. */
    readonly hasName: boolean;
  },
): JSX.Element {
  const { row, standard, commentMax, hasName } = props;
  const comment = commentOf(row);
  const isCut = comment !== undefined && comment.length > commentMax;
  return (
    <li class="goods-row brief">
      <details>
        <summary>
          <span>
            <Rate row={row} />
            {hasName ? <span class="goods-kind"> {row.description}</span> : null}
            {comment === undefined ? null : (
              <span class={isCut ? 'beginning' : 'whole'}> {beginningOf(comment, commentMax)}</span>
            )}
          </span>
        </summary>
        <p class="goods-kind">{explainRate(row, standard)}</p>
        {isCut ? <p class="long-text">{comment}</p> : null}
        <Facts row={row} />
      </details>
    </li>
  );
}

/** The rate, and what limits it besides the comment. */
function Rate({ row }: { readonly row: CategoryRow }): JSX.Element {
  const { covers, territory, scope, erratum } = row;
  const limits = [
    daysInWords(row),
    territory === null ? undefined : `only in: ${territory}`,
    scope === null ? undefined : 'for imports only',
    covers === 'part' ? 'about a part of the requested code only' : undefined,
    erratum === null ? undefined : 'a known error of TEDB concerns it',
  ].filter((limit) => limit !== undefined);
  return (
    <>
      <strong class="goods-rate">{rateInWords(row)}</strong>
      {limits.map((limit) => (
        <Fragment key={limit}>
          {' '}
          <span class="goods-limit">{limit}</span>
        </Fragment>
      ))}
    </>
  );
}

/** The codes of a row, and the start of its record. */
function Facts({ row }: { readonly row: CategoryRow }): JSX.Element {
  const { cn_codes, cpa_codes, matched, situation_on } = row;
  return (
    <>
      <Codes system="CN" codes={cn_codes} matched={matched} print={printCn} />
      <Codes system="CPA" codes={cpa_codes} matched={matched} print={(code) => code} />
      <p class="hint">
        {commentOf(row) === undefined ? 'Without a comment. ' : ''}Reported for the period from{' '}
        {dateInWords(situation_on)}
      </p>
    </>
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
