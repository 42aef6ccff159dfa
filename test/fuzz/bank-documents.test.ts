import { expect, it } from 'vitest';
import type { BankName } from '../../src/platform/publication/data-set-kinds.ts';
import { banks, bankSeries } from '../../src/fx/banks/banks.ts';
import { readAnswer } from '../../src/fx/banks/fetch-span.ts';
import { planPublications } from '../../src/fx/publishing/plan.ts';
import type { FxSnapshot } from '../../src/fx/snapshot.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { UpstreamError } from '../../src/platform/upstream/upstream-error.ts';
import { messageMax } from '../../src/platform/values/quote.ts';
import { Dice } from '../support/dice.ts';
import { countOf, reportFigure, seedOf } from '../support/proof.ts';
import { everyCode } from '../support/every-code.ts';

const documents = countOf({ full: 2_000, perCommit: 500 });
const seed = seedOf(20_260_303);
/** A Monday and a Tuesday. */
const [monday, tuesday] = [isoDate('2026-03-02'), isoDate('2026-03-03')];

/** A row of a document as JSON texts, so that each may be of any type. */
type Row = { readonly code: string; readonly amount: string; readonly rate: string };

/** Thirty currencies, from 0.5 to 25 and far apart, each sixth one for 100 units. */
const rowsOf = (move: number): readonly Row[] =>
  everyCode.slice(0, 30).map((code, at) => ({
    code: `"${code}"`,
    amount: at % 6 === 0 ? '100' : '1',
    rate: (0.5 * 1.145 ** at * (1 + move)).toFixed(6),
  }));
const before = rowsOf(0);
const good = rowsOf(0.004);

const print = {
  nbp: (rows: readonly Row[], day: string) =>
    `[{"table":"A","no":"0${day === '"2026-03-02"' ? 41 : 42}/A/NBP/2026","effectiveDate":${day},"rates":[${rows
      .map(({ code, rate }) => `{"currency":"x","code":${code},"mid":${rate}}`)
      .join()}]}]`,
  cnb: (rows: readonly Row[], day: string) =>
    `{"rates":[${rows
      .map(
        ({ code, amount, rate }) =>
          `{"currencyCode":${code},"amount":${amount},"validFor":${day},"rate":${rate}}`,
      )
      .join()}]}`,
} satisfies Record<BankName, (rows: readonly Row[], day: string) => string>;

async function read(bank: BankName, body: string): Promise<readonly FxSnapshot[]> {
  const at = { upstream: bank, operation: 'publications', status: 200 };
  const chunks = new Blob([body]).stream() as unknown as AsyncIterable<Uint8Array>;
  const answer = { status: 200, header: () => undefined, chunks, at };
  const { publications } = await readAnswer(banks[bank], answer, { from: monday, to: tuesday });
  return publications;
}

/** What becomes of a document: the reason why it is refused or held. Undefined if it is published. */
async function judge(bank: BankName, body: string): Promise<string | undefined> {
  const stored = await read(bank, print[bank](before, `"${monday}"`));
  let offered: readonly FxSnapshot[];
  try {
    offered = await read(bank, body);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return error.message;
  }
  const offers = offered.map((snapshot) => ({ snapshot, isFromHistory: true }));
  const planning = { series: bankSeries[bank], today: tuesday, begunOn: monday };
  const { accepted, doubted } = planPublications(offers, stored, planning);
  return accepted.length > 0 ? undefined : doubted.flatMap(({ reasons }) => reasons).join('; ');
}

/** The rows of a document that is wrong in one of many ways. */
function spoil(dice: Dice): readonly [how: string, rows: readonly Row[]] {
  const at = dice.below(good.length);
  const other = (at + 1 + dice.below(good.length - 1)) % good.length;
  const put = (changes: Partial<Row>): readonly Row[] =>
    good.map((row, n) => (n === at ? { ...row, ...changes } : row));
  const times = (factor: number): readonly Row[] =>
    good.map((row) => ({ ...row, rate: String(Number(row.rate) * factor) }));
  const ofRow = (n: number): Row => before[n] as Row;
  const { code, rate } = good[at] as Row;
  const exchanged = good.map((row, n) => {
    if (n !== at && n !== other) return row;
    const { amount, rate: value } = ofRow(n === at ? other : at);
    return { ...row, amount, rate: value };
  });
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const count = 4 + dice.below(17_000);
  const added = everyCode.slice(30, 30 + count).map((one) => ({ ...ofRow(1), code: `"${one}"` }));
  return dice.pick<readonly [string, readonly Row[]]>([
    ['many new', [...good, ...added]],
    ['two exchanged', exchanged],
    ['all × 1.24', times(1.24)],
    ['all ÷ 1.24', times(1 / 1.24)],
    ['one × 100', put({ rate: String(Number(rate) * 100) })],
    ['four gone', good.slice(4)],
    ['the day before', before],
    ['one twice', [...good, ofRow(at)]],
    ['a code in a list', put({ code: `[${code}]` })],
    ['a code that is an object', put({ code: `{"toString":1}` })],
    ['a code that is a number', put({ code: '978' })],
    ['a code in small letters', put({ code: code.toLowerCase() })],
    ['a long code', put({ code: `"${'\\n<b>'.repeat(20_000)}"` })],
    ['a rate as a text', put({ rate: `"${rate}"` })],
    ['rates as texts', good.map((row) => ({ ...row, rate: `"${row.rate}"` }))],
    ['a rate in a list', put({ rate: `[${rate}]` })],
    ['a rate in many lists', put({ rate: deep })],
    ['a rate with an exponent', put({ rate: '1e3' })],
    ['a negative rate', put({ rate: `-${rate}` })],
    ['a rate of true', put({ rate: 'true' })],
    ['no rate', put({ rate: 'null' })],
  ]);
}

it.each(['nbp', 'cnb'] as const)(
  'a spoiled document of the %s is refused or held in every form, in few words, and the unspoiled one is not (reliability R5)',
  async (bank) => {
    const dice = new Dice(seed);
    const published: string[] = [];
    const long: string[] = [];
    const day = `"${tuesday}"`;

    for (let made = 0; made < documents; made += 1) {
      const [how, rows] = spoil(dice);
      const isOfList = dice.happens(0.02);
      const reason = await judge(bank, print[bank](rows, isOfList ? `[${day}]` : day));
      if (reason === undefined) published.push(`${how} (${made} of seed ${seed})`);
      else if (reason === '' || reason.length > messageMax) long.push(`${how}: ${reason}`);
    }

    reportFigure(
      'R5',
      `${documents} spoiled documents of the ${bank} before its reader and the gate (seed ${seed}): ${published.length} published`,
    );
    expect(await judge(bank, print[bank](good, day))).toBeUndefined();
    expect(published.slice(0, 20)).toEqual([]);
    expect(long.slice(0, 5)).toEqual([]);
  },
);

it('units of the CNB that are missing, a text or 1 instead of 100 are refused or held', async () => {
  const withAmount = (amount: string) =>
    print.cnb(
      good.map((row) => (row.amount === '100' ? { ...row, amount } : row)),
      `"${tuesday}"`,
    );

  expect(await judge('cnb', withAmount('1'))).toContain('a factor of 2 or more');
  expect(await judge('cnb', withAmount('"100"'))).toContain('"100", expected a whole number');
  expect(await judge('cnb', withAmount('[100]'))).toContain('a list, expected a whole number');
  expect(await judge('cnb', withAmount('1e2'))).toContain('1e2, expected a whole number');
});
