import { type Count, type SummaryRow, summaryRows } from './summary-rows.ts';

/** A promise as the page reports it. */
type Reported = {
  readonly name: string;
  readonly isKept: boolean;
  readonly figures: readonly string[];
  readonly failedCount: number;
  readonly passedCount: number;
  readonly skippedCount: number;
  /** The day of its run, such as `2026-11-21`. */
  readonly date: string;
};

const heading = '## Summary';

/**
 * Puts the summary on the page of the proofs, before the table of promises, or renews it.
 *
 * Everything in it is read from the page, so that it follows also if one promise was run again.
 */
export function withSummary(page: string): string {
  const without = page.replace(new RegExp(`^${heading}\\n[^]*?(?=^\\| \\| promise \\|)`, 'm'), '');
  return without.replace(/^\| \| promise \|/m, (table) => `${printSummary(without)}\n\n${table}`);
}

function printSummary(page: string): string {
  const all = readPromises(page);
  const kept = all.filter(({ isKept }) => isKept);
  const dates = all.map(({ date }) => date).toSorted();
  const days = [...new Set([dates[0], dates.at(-1)])].join(' to ');
  const failed = sum(all.map(({ failedCount }) => failedCount));
  const rows = summaryRows.map((row) => printRow(row, all)).filter((row) => row !== '');
  return `${heading}

**${kept.length} of ${all.length} promises were kept**, in tests on ${days}: ${number(sum(all.map(({ passedCount }) => passedCount)))} passed, ${failed} failed,
${sum(all.map(({ skippedCount }) => skippedCount))} could not run on this machine. Each number below is a count of these tests.

| promise | kept | counted |
|---|---|---|
${rows.join('\n')}

All promises:`;
}

/** A row of the promises that the page has; empty if it has none of them. */
function printRow({ title, promises, counted }: SummaryRow, all: readonly Reported[]): string {
  const here = all.filter(({ name }) => promises.some((promise) => promise === name));
  if (here.length === 0) return '';
  const missed = here.filter(({ isKept }) => !isKept).map(({ name }) => name);
  const kept =
    missed.length === 0
      ? `${here.length} of ${here.length}`
      : `**${here.length - missed.length} of ${here.length}**, not ${missed.join(', ')}`;
  const counts = counted.flatMap(([count, words]) => {
    const found = countIn(count, all);
    return found === undefined ? [] : [`${number(found)} ${words}`];
  });
  return `| ${title} | ${kept} | ${counts.join(', ')} |`;
}

/** Undefined if the promise has no such figure. */
function countIn({ of, pattern }: Count, all: readonly Reported[]): number | undefined {
  const figures = all.find(({ name }) => name === of)?.figures ?? [];
  const found = figures.map((figure) => pattern.exec(figure)).filter((match) => match !== null);
  if (found.length === 0) return undefined;
  return sum(found.map(([, counted = '1']) => Number(counted.replaceAll(',', ''))));
}

function readPromises(page: string): readonly Reported[] {
  const rows = [...page.matchAll(/^\| \[(\w+)\]\(#.*\| (kept|NOT SHOWN) \|$/gm)];
  return rows.map(([, name = '', judged]) => {
    const section = new RegExp(`^## ${name} [^]*?(?=^## |$(?![^]))`, 'm').exec(page)?.[0] ?? '';
    const lines = [...section.matchAll(/^- (.*)$/gm)].map(([, line = '']) => line);
    const end = /^(\d+) passed(?:, (\d+) skipped)?, \d+ s on ([\d-]+),/m.exec(section);
    return {
      name,
      isKept: judged === 'kept',
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
