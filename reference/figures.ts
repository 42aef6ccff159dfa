/** The figures of the README: what each means to a reader, and its row in `bench/RESULTS.md`. */
const figures: readonly (readonly [meaning: string, row: RegExp])[] = [
  ['`/rates` from memory, with the access log', /P1 \/rates, log on/],
  ['a VAT check that is in the cache', /P3 cached check, log on/],
  [
    '`/rates` at half of the highest rate, 99th percentile of the wait',
    /P4 \/rates at 0\.5 .*, p99 against bare/,
  ],
  ['an event to 10,000 webhooks', /P10 10000 subscriptions, rate/],
  ['start, with 27 years of data in SQLite', /P12 SQLite, full, start to listening/],
  ['memory after the start', /P12 SQLite, full, idle memory/],
];

const [begin, end] = ['<!-- figures: by npm run generate -->\n', '<!-- figures end -->'];

/**
 * Returns the text of the README with the figures that `bench/RESULTS.md` has, and with their date.
 *
 * @throws If the README has no place for them, or the results have no such row.
 */
export function writeFigures(readme: string, results: string): string {
  const [before, rest] = readme.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md has no ${begin}`);
  const date = /^\d{4}-\d\d-\d\d(?=, )/m.exec(results)?.[0];
  if (date === undefined) throw new Error('bench/RESULTS.md has no date');
  const rows = figures.map(([meaning, row]) => {
    const line = results.split('\n').find((one) => row.test(one));
    if (line === undefined) throw new Error(`bench/RESULTS.md has no row ${row}`);
    const [, name, median, , , unit, , goal, verdict] = line.split('|').map((cell) => cell.trim());
    const question = name?.split(' ')[0];
    return `| ${meaning} (${question}) | ${median} ${unit} | ${goal === '—' ? '—' : `${goal}: ${verdict}`} |`;
  });
  const table = [`| ${date} | median | goal |`, '|---|---|---|', ...rows].join('\n');
  return `${before}${begin}${table}\n${end}${after}`;
}
