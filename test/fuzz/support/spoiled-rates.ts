import type { Dice } from '../../support/dice.ts';
import type { Served } from './between.ts';
import { changeDigit, scale, spoilWhole, type Way } from './spoiled-whole.ts';

const rowForm = /<vatRateResults>.*?<\/vatRateResults>/gs;
const nameForm = /(?<=<memberState>)\w+/;
const valueForm = /(?<=<rate><type>\w+<\/type><value>)[\d.]+(?=<\/value>)/g;

/** TEDB's answer, spoiled in one of many ways (reliability R5). */
export function spoilRates(dice: Dice, good: Served, old: Served): Way {
  const document = good.body;
  const rows = document.match(rowForm) ?? [];
  const state = stateOf(dice.pick(rows));
  const other = stateOf(dice.pick(rows));
  const swap: Readonly<Record<string, string>> = { [state]: other, [other]: state };
  const isOf = (row: string): boolean => stateOf(row) === state;
  const isItsReduced = (row: string): boolean => isOf(row) && isReduced(row);
  const made = (change: (row: string) => string): Served => ({
    ...good,
    body: document.replaceAll(rowForm, change),
  });
  const times = (factor: number, of: (row: string) => boolean): Served =>
    made((row) => (of(row) ? row.replace(valueForm, (value) => scale(value, factor)) : row));
  const never = (how: string, served: Served): Way => ({ how, isNever: true, served });
  const perhaps = (how: string, served: Served): Way => ({ how, isNever: false, served });
  const missing = new Set(
    Array.from({ length: 1 + dice.below(5) }, () => stateOf(dice.pick(rows))),
  );
  const kept = dice.below(rows.length);
  let at = 0;

  const ways: readonly (() => Way)[] = [
    () =>
      perhaps(
        'cut between rows',
        made((row) => (at++ < kept ? row : '')),
      ),
    () =>
      never(
        `${[...missing].join()} missing`,
        made((row) => (missing.has(stateOf(row)) ? '' : row)),
      ),
    () => never(`${state} × 10`, times(10, isOf)),
    () => never(`${state} ÷ 100`, times(0.01, isOf)),
    () =>
      never(
        'all × 10',
        times(10, () => true),
      ),
    () =>
      never(
        'all ÷ 100',
        times(0.01, () => true),
      ),
    () => perhaps(`${state}: reduced rates × 10`, times(10, isItsReduced)),
    () => perhaps(`${state}: reduced rates ÷ 100`, times(0.01, isItsReduced)),
    () => perhaps(`${state}: zeroes for reduced rates`, times(0, isItsReduced)),
    () => never('zeroes for reduced rates', times(0, isReduced)),
    () => never(`${state}: zeroes`, times(0, isOf)),
    () =>
      never(
        `${state}: kinds swapped`,
        made((row) => (isOf(row) ? swapKinds(row) : row)),
      ),
    () =>
      perhaps(
        `${state} and ${other} swapped`,
        made((row) => row.replace(nameForm, (name) => swap[name] ?? name)),
      ),
    () => never('an old one', old),
    () => perhaps('a digit', { ...good, body: changeDigit(dice, document, valueForm) }),
    () => never(`${state} twice`, { ...good, body: twice(document, rows.filter(isOf)) }),
  ];
  return dice.happens(0.6) ? dice.pick(ways)() : spoilWhole(dice, good);
}

function isReduced(row: string): boolean {
  return row.includes('<type>REDUCED</type>');
}

function stateOf(row: string): string {
  return nameForm.exec(row)?.[0] ?? '';
}

/** The standard rate as a reduced one and vice versa. */
function swapKinds(row: string): string {
  return row.includes('<type>STANDARD</type>')
    ? row.replace('STANDARD', 'REDUCED').replace('DEFAULT', 'REDUCED_RATE')
    : row.replace('REDUCED</type>', 'STANDARD</type>').replace(/<type>\w+_RATE/, '<type>DEFAULT');
}

/** A second set of rows of a Member State, with other rates. */
function twice(document: string, rows: readonly string[]): string {
  const end = document.lastIndexOf('</vatRateResults>') + '</vatRateResults>'.length;
  const more = rows.map((row) => row.replace(valueForm, (value) => scale(value, 1.1)));
  return document.slice(0, end) + more.join('') + document.slice(end);
}
