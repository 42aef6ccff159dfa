import { type Counted, type SummaryRow, summaryRows } from './summary-rows.ts';

/** A promise as the page reports it. */
type Reported = {
  readonly name: string;
  /** `[Power loss](#r2-power-loss)` */
  readonly link: string;
  readonly verdict: string;
  readonly figures: readonly string[];
  readonly failedCount: number;
  readonly passedCount: number;
  readonly skippedCount: number;
  /** The day of its run, such as `2026-11-21`. */
  readonly date: string;
};

/** The heading behind the summary. */
export const allPromises = '## All promises';

/**
 * Puts the summary at the beginning of the page of the proofs, or renews it: one screen for a reader who does not program.
 *
 * Everything in it is read from the page, so that it follows also if one promise was run again.
 */
export function withSummary(page: string): string {
  return page.replace(
    new RegExp(`(?<=^<!-- [^\\n]* -->\\n\\n)[^]*?(?=^${allPromises}$)`, 'm'),
    () => `${printSummary(page)}\n\n`,
  );
}

function printSummary(page: string): string {
  const all = readPromises(page);
  const kept = all.filter(({ verdict }) => verdict === 'kept').length;
  const untried = all.filter(({ verdict }) => verdict === 'could not run here').length;
  const dates = all.map(({ date }) => date).toSorted();
  const days = [...new Set([dates[0], dates.at(-1)])].join(' to ');
  const total = (of: 'passedCount' | 'failedCount' | 'skippedCount') =>
    number(sum(all.map((one) => one[of])));
  const rows = summaryRows.map((row) => printRow(row, all)).filter((row) => row !== '');
  return `Invoices and tax returns depend on this service. The first column of the table has its promises. Tests try to break each of them: they
kill the program, cut its power, fill its disk, take its database away, make its sources fail or send nonsense, and attack it. The
sources are simulators that can be made to fail, and captured answers of the real ones.

**${kept} of ${all.length} promises were kept**, ${all.length - kept - untried} not shown, ${untried} could not be tried on this machine. The tests ran on ${days}:
${total('passedCount')} passed, ${total('failedCount')} failed, ${total('skippedCount')} could not run here. The numbers in the table are counts of attempts and of
errors in these tests. A promise is not shown if one of its tests failed; its section names the test.

| promise | how it was tried | what was found |
|---|---|---|
${rows.join('\n')}`;
}

/** A row of the promises that the page has; empty if it has none of them. */
function printRow({ title, promises, tried, found }: SummaryRow, all: readonly Reported[]): string {
  const here = all.filter(({ name }) => promises.some((promise) => promise === name));
  if (here.length === 0) return '';
  const linksOf = (wanted: string): string =>
    here
      .filter(({ verdict }) => verdict === wanted)
      .map(({ link }) => link)
      .join(', ');
  const [missed, untried] = [linksOf('NOT SHOWN'), linksOf('could not run here')];
  const results = [
    missed === '' ? (untried === '' ? '**kept**' : '') : `**not shown**: ${missed}`,
    untried === '' ? '' : `could not be tried here: ${untried}`,
    printCounts(found, all),
  ];
  return `| ${title} | ${printCounts(tried, all)} | ${results.filter((text) => text !== '').join('; ')} |`;
}

function printCounts(counted: readonly Counted[], all: readonly Reported[]): string {
  return counted
    .flatMap(([count, words]) => {
      const found = countIn(count, all);
      return found === undefined ? [] : [`${number(found)} ${words}`];
    })
    .join(', ');
}

/** Undefined if the promise has no such figure. */
function countIn({ of, pattern }: Counted[0], all: readonly Reported[]): number | undefined {
  const figures = all.find(({ name }) => name === of)?.figures ?? [];
  const found = figures.map((figure) => pattern.exec(figure)).filter((match) => match !== null);
  if (found.length === 0) return undefined;
  return sum(found.map(([, counted = '1']) => Number(counted.replaceAll(',', ''))));
}

function readPromises(page: string): readonly Reported[] {
  const rows = [
    ...page.matchAll(
      /^\| \[(\w+)\]\((#[^)]*)\) \| (.*) \| (kept|NOT SHOWN|could not run here) \|$/gm,
    ),
  ];
  return rows.map(([, name = '', anchor = '', title = '', verdict = '']) => {
    const section = new RegExp(`^## ${name} [^]*?(?=^## |$(?![^]))`, 'm').exec(page)?.[0] ?? '';
    const lines = [...section.matchAll(/^- (.*)$/gm)].map(([, line = '']) => line);
    const end = /^(\d+) passed(?:, (\d+) skipped)?, \d+ s on ([\d-]+),/m.exec(section);
    return {
      name,
      link: `[${title}](${anchor})`,
      verdict,
      figures: lines,
      failedCount: lines.filter((line) => line.startsWith('**failed**')).length,
      passedCount: Number(end?.[1] ?? 0),
      skippedCount: Number(end?.[2] ?? 0),
      date: end?.[3] ?? '',
    };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** `1,157`: digits in groups of three. */
function number(value: number): string {
  return value.toLocaleString('en');
}
