import { readFileSync } from 'node:fs';
import type { ProofName } from '../test/support/proof.ts';

/**
 * A number that a run counted, and the words after it: the sum over the figures of a promise that a pattern matches. The first group
 * of the pattern is the number; without a group each figure counts as one. It matches no figure of a build that is broken on purpose.
 */
export type Counted = readonly [of: ProofName, pattern: string, words: string];

/** A row of the summary: several promises, and what they mean for the company that runs the service. */
export type SummaryRow = {
  readonly title: string;
  readonly promises: readonly ProofName[];
  /** How the tests tried to break the promises. */
  readonly tried: readonly Counted[];
  /** The errors that could have happened, and how often they did. */
  readonly found: readonly Counted[];
};

/** The rows of the summary; each promise is in one of them. */
export const summaryRows = JSON.parse(
  readFileSync(new URL('./summary.json', import.meta.url), 'utf8'),
) as readonly SummaryRow[];

/** A promise as the page reports it. */
type Reported = {
  readonly name: string;
  /** `[Power loss](#r2-power-loss)` */
  readonly link: string;
  readonly verdict: string;
  /** The lines that its tests printed. */
  readonly lines: readonly string[];
  readonly passed: number;
  readonly skipped: number;
  /** The day of its run, such as `2026-11-21`; empty before the first. */
  readonly date: string;
};

const tableHead = '| promise | how it was tried | what was found |\n|---|---|---|\n';

/** Renews the summary of the page, which is read from its sections: so it follows also if one promise was run again. */
export function withSummary(text: string): string {
  const all = readPromises(text);
  const rows = summaryRows.map((row) => printRow(row, all)).join('\n');
  return text
    .replace(/^\*\*\d+ of \d+ promises were kept\*\*.*$/m, () => printTotals(all))
    .replace(new RegExp(`(?<=^${RegExp.escape(tableHead)})[^]*?(?=\\n\\n)`, 'm'), () => rows);
}

function printTotals(all: readonly Reported[]): string {
  const count = (verdict: string): number => all.filter((one) => one.verdict === verdict).length;
  const dates = all.flatMap(({ date }) => (date === '' ? [] : [date])).toSorted();
  const failed = all.flatMap(({ lines }) => lines.filter((line) => line.startsWith('**failed**')));
  return (
    `**${count('kept')} of ${all.length} promises were kept**, ${count('NOT SHOWN')} not shown, ` +
    `${count('could not run here')} could not be tried on this machine, ${count('not run yet')} not run yet. ` +
    `The tests ran on ${[...new Set([dates.at(0), dates.at(-1)])].join(' to ')}: ` +
    `${number(sum(all.map(({ passed }) => passed)))} passed, ${number(failed.length)} failed, ` +
    `${number(sum(all.map(({ skipped }) => skipped)))} could not run here.`
  );
}

function printRow({ title, promises, tried, found }: SummaryRow, all: readonly Reported[]): string {
  const here = all.filter(({ name }) => promises.some((promise) => promise === name));
  const linksOf = (wanted: string, words: string): string[] => {
    const links = here.filter(({ verdict }) => verdict === wanted).map(({ link }) => link);
    return links.length === 0 ? [] : [`${words}: ${links.join(', ')}`];
  };
  const others = [
    ...linksOf('NOT SHOWN', '**not shown**'),
    ...linksOf('could not run here', 'could not be tried here'),
    ...linksOf('not run yet', 'not run yet'),
  ];
  const results = [...(others.length === 0 ? ['**kept**'] : others), printCounts(found, all)];
  return `| ${title} | ${printCounts(tried, all)} | ${results.filter((text) => text !== '').join('; ')} |`;
}

function printCounts(counted: readonly Counted[], all: readonly Reported[]): string {
  return counted
    .flatMap(([of, pattern, words]) => {
      const lines = all.find(({ name }) => name === of)?.lines ?? [];
      const found = lines
        .map((line) => new RegExp(pattern).exec(line))
        .filter((one) => one !== null);
      const counts = found.map(([, digits = '1']) => Number(digits.replaceAll(',', '')));
      return found.length === 0 ? [] : [`${number(sum(counts))} ${words}`];
    })
    .join(', ');
}

function readPromises(text: string): readonly Reported[] {
  const rows = text.matchAll(/^\| \[(\w+)\]\((#[^)]*)\) \| (.*) \| ([^|]*) \|$/gm);
  return [...rows].map(([, name = '', anchor = '', title = '', verdict = '']) => {
    const section = new RegExp(`^## ${name} [^]*?(?=^## |$(?![^]))`, 'm').exec(text)?.[0] ?? '';
    const end = /^(\d+) passed(?:, (\d+) skipped)?, \d+ s on ([\d-]+),/m.exec(section);
    return {
      name,
      link: `[${title}](${anchor})`,
      verdict,
      lines: [...section.matchAll(/^- (.*)$/gm)].map(([, line = '']) => line),
      passed: Number(end?.[1] ?? 0),
      skipped: Number(end?.[2] ?? 0),
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
