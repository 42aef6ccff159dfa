import type { JSX } from 'preact';
import { Citation } from '../rates/citation.tsx';
import type { GoodsErratum } from '../wire.ts';
import { printCn } from './goods-words.ts';
import { erratumInWords } from './verdict-words.ts';

/** Known errors of TEDB: the rates, the codes, for which supplies the law says so, and its citation (rule X7). */
export function GoodsErrataList(props: {
  readonly errata: readonly GoodsErratum[];
  /** The headline above the list, which is not repeated. */
  readonly headline: string | undefined;
}): JSX.Element | null {
  const { errata, headline } = props;
  if (errata.length === 0) return null;
  return (
    <ul class="goods-errata">
      {errata.map((erratum) => {
        const rates = erratumInWords(erratum);
        return (
          <li key={erratum.id}>
            {rates === headline ? null : <strong>{rates} </strong>}
            {describe(erratum)} <Citation of={erratum} />
          </li>
        );
      })}
    </ul>
  );
}

/** “CN 1509: olive oil.” */
function describe({ codeKind, codes, condition }: GoodsErratum): string {
  const names = codeKind === 'cn' ? codes.map(printCn) : codes;
  const list = `${codeKind.toUpperCase()} ${names.join(', ')}`;
  return condition === null ? `${list}.` : `${list}: ${condition}.`;
}
