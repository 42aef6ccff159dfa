import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describeMachine, describeProgram } from '../bench/machine.ts';
import { findPostgresql, findRedis } from '../test/support/programs.ts';
import type { ProofName } from '../test/support/proof.ts';
import { judge, type Outcome, type Promised, promises } from './promises.ts';
import { withSummary } from './summary.ts';

/**
 * The page `docs/proof.md` is written by people, but for the results: a summary, a row and a section for each promise. A section
 * begins with the goal, and a paragraph `Smaller here: …` names the parts of it that a run does not reach.
 */
export const page = 'docs/proof.md';

/** The heading and the text of a promise's section. */
function sectionOf(name: ProofName): RegExp {
  return new RegExp(`(?<=^## ${name} (.*)\\n\\n)[^]*?(?=\\n\\n## |\\n*$(?![^]))`, 'm');
}

/** The title of a promise: the heading of its section. Throws if the page has none. */
export function titleOf(text: string, name: ProofName): string {
  const title = sectionOf(name).exec(text)?.[1];
  if (title === undefined) throw new Error(`${page} has no section of ${name}`);
  return title;
}

/** Prints an outcome for a terminal: `R16 kept in 212 s: …`, then its figures and failures. */
export function formatOutcome(text: string, shown: Outcome): string {
  const { name, figures, failures } = shown;
  const begin = `${name} ${judge(shown)} in ${seconds(shown)}: ${titleOf(text, name)}`;
  const lines = figures.map(({ figure }) => `    ${figure}`);
  return [begin, ...lines, ...failures.map(formatFailure)].join('\n');
}

function formatFailure(failure: string): string {
  return `  ! ${failure.split('\n').slice(0, 6).join('\n    ')}`;
}

function seconds({ tookMs }: Outcome): string {
  return `${(tookMs / 1_000).toFixed(0)} s`;
}

/** Replaces the results of a promise on the page, in its row, its section and the summary. */
export function replaceResults(text: string, shown: Outcome): string {
  const { name } = shown;
  titleOf(text, name);
  const replaced = text
    .replace(new RegExp(`(?<=^\\| \\[${name}\\]\\(.*\\| )[^|]*(?= \\|$)`, 'm'), () => judge(shown))
    .replace(sectionOf(name), (section) => printSection(section, shown));
  return withSummary(replaced);
}

/** Replaces the sentence about the machine and the length of a full run. */
export function replaceMachine(text: string, tookMs: number): string {
  const programs = [
    `SQLite ${process.versions.sqlite}`,
    describeProgram('PostgreSQL', [join(findPostgresql() ?? '', 'postgres'), '--version']),
    describeProgram('Redis', [findRedis(), '--version']),
  ];
  const sentence = `${[describeMachine(), ...programs].join(', ')}. The run took ${(tookMs / 60_000).toFixed(0)} minutes on a shared`;
  return text.replace(/^\d+ × .* on a shared$/m, () => sentence);
}

/** Whether a page has figures of this machine; figures of two machines are not mixed. */
export function isOfThisMachine(text: string): boolean {
  return text.includes(describeMachine());
}

function printSection(section: string, shown: Outcome): string {
  const { name, figures, failures, passedCount, skippedCount } = shown;
  const promised: Promised = promises[name] ?? {};
  const [goal = '', ...paragraphs] = section.split('\n\n');
  const smaller = paragraphs.filter((one) => one.startsWith('Smaller here: '));
  const lines = [
    ...figures.map(({ promised: of, figure }) => `- ${of === name ? '' : `${of}: `}${figure}`),
    ...failures.map((failure) => `- **failed**: ${withoutRoot(failure.split('\n')[0] ?? '')}`),
  ];
  const isMissing = judge(shown) === 'could not run here';
  const skipped = skippedCount === 0 ? '' : `, ${skippedCount} skipped`;
  return [
    goal,
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    ...(isMissing ? [`Could not run on this machine: the tests need ${promised.needs}.`] : []),
    ...smaller,
    `${passedCount} passed${skipped}, ${seconds(shown)} on ${new Date().toISOString().slice(0, 10)}, ` +
      `revision ${revision()}: ${listTests(promised)}`,
  ].join('\n\n');
}

/** A failure with paths relative to the checkout, which is elsewhere for the readers of the page. */
function withoutRoot(failure: string): string {
  return failure.replaceAll(`${process.cwd()}/`, '');
}

function listTests({ sqlite = [], program, ...others }: Promised): string {
  const files = sqlite.map((file) => `\`${file}\``);
  for (const engine of ['postgresql', 'containers'] as const) {
    files.push(...(others[engine] ?? []).map((file) => `\`${file}\` (${engine})`));
  }
  if (program !== undefined) files.push(`\`node ${program.join(' ')}\``);
  return files.join(', ');
}

function revision(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const changed =
    git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' with changes';
  return `${git('rev-parse', '--short', 'HEAD')}${changed}`;
}
