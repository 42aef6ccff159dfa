import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describeMachine, describeProgram } from '../bench/machine.ts';
import { findPostgresql, findRedis } from '../test/support/programs.ts';
import type { ProofName } from '../test/support/proof.ts';
import { judge, type ProofOutcome, type Verdict } from './proof.ts';
import { proofOf, proofs } from './proofs.ts';
import { allPromises, withSummary } from './summary.ts';

const tableHead = '| | promise | |\n|---|---|---|';

/** Prints an outcome for a terminal: `R16 kept in 212 s: …`, then its figures and failures. */
export function formatOutcome(shown: ProofOutcome): string {
  const { name, figures, failures } = shown;
  const begin = `${name} ${verdictOf(shown)} in ${seconds(shown)}: ${proofOf(name).title}`;
  const lines = figures.map(({ figure }) => `    ${figure}`);
  return [begin, ...lines, ...failures.map(formatFailure)].join('\n');
}

function formatFailure(failure: string): string {
  return `  ! ${failure.split('\n').slice(0, 6).join('\n    ')}`;
}

function verdictOf(shown: ProofOutcome): Verdict {
  return judge(shown, proofOf(shown.name));
}

function seconds({ tookMs }: ProofOutcome): string {
  return `${(tookMs / 1_000).toFixed(0)} s`;
}

/** Prints `docs/proof.md`: a summary, the machine, and each promise with its figures. */
export function printPage(all: readonly ProofOutcome[], tookMs: number): string {
  return withSummary(printAll(all, tookMs));
}

function printAll(all: readonly ProofOutcome[], tookMs: number): string {
  return `# Proof

<!-- Written by \`npm run prove\`; do not edit. -->

${allPromises}

Each promise has a section below with its conditions, the lines that its tests printed, and the names of the tests. Every test of a
fault has failed on a build that was broken on purpose; such builds are a part of the tests. \`npm test\`, \`npm run test:engines\` and
\`npm run prove -- --quick\` run the same tests at smaller counts; \`npm run prove -- R16\` runs one promise at full counts and writes its
figures here.

${describeMachine()}, ${describePrograms()}. The run took ${(tookMs / 60_000).toFixed(0)} minutes on a shared
machine. A promise with another revision was run again by itself.

${tableHead}
${all.map(printRow).join('\n')}

${all.map(printSection).join('\n\n')}
`;
}

/**
 * Replaces the figures of one promise on the page, or adds it at its place; leaves the page of another machine as it is.
 */
export function replaceOnPage(page: string, shown: ProofOutcome): string {
  const { name } = shown;
  if (!isOfThisMachine(page)) return page;
  const replaced = addIfMissing(page, name)
    .replace(new RegExp(`^\\| \\[${name}\\]\\(.*$`, 'm'), () => printRow(shown))
    .replace(new RegExp(`^## ${name} [^]*?(?=\\n\\n## |\\n$(?![^]))`, 'm'), () =>
      printSection(shown),
    );
  return withSummary(replaced);
}

/** Whether a page has figures of this machine; figures of two machines are not mixed. */
export function isOfThisMachine(page: string): boolean {
  return page.includes(describeMachine());
}

/** Adds an empty row and an empty section, before those of the next promise that the page has, or at the end. */
function addIfMissing(page: string, name: ProofName): string {
  const hasSection = (one: string): boolean => page.includes(`\n## ${one} `);
  if (hasSection(name)) return page;
  const names = Object.keys(proofs);
  const [row, section] = [`| [${name}]() |`, `## ${name} `];
  const next = names.slice(names.indexOf(name) + 1).find(hasSection);
  if (next === undefined) {
    return page
      .replace(/((?:^\| \[.*\n)+)/m, (rows) => `${rows}${row}\n`)
      .replace(/\n*$/, `\n\n${section}\n`);
  }
  return page
    .replace(new RegExp(`^(?=\\| \\[${next}\\]\\()`, 'm'), () => `${row}\n`)
    .replace(new RegExp(`^(?=## ${next} )`, 'm'), () => `${section}\n\n`);
}

function printRow(shown: ProofOutcome): string {
  const { name } = shown;
  const { title } = proofOf(name);
  return `| [${name}](#${anchorOf(name, title)}) | ${title} | ${verdictOf(shown)} |`;
}

/** The anchor that GitHub gives a heading. */
function anchorOf(name: string, title: string): string {
  return `${name} ${title}`
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

function printSection(shown: ProofOutcome): string {
  const { name, figures, failures, passedCount, skippedCount } = shown;
  const { title, goal, suites, program, needs, smaller } = proofOf(name);
  const files = suites.flatMap(({ project, files: named }) =>
    named.map((file) => `\`${file}\`${project === 'sqlite' ? '' : ` (${project})`}`),
  );
  if (program !== undefined) files.push(`\`node ${program.join(' ')}\``);
  const lines = [
    ...figures.map(
      ({ promised, figure }) => `- ${promised === name ? '' : `${promised}: `}${figure}`,
    ),
    ...failures.map((failure) => `- **failed**: ${failure.split('\n')[0]}`),
  ];
  const isMissing = verdictOf(shown) === 'could not run here';
  const skipped = skippedCount === 0 ? '' : `, ${skippedCount} skipped`;
  return [
    `## ${name} ${title}`,
    goal,
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    ...(isMissing ? [`Could not run on this machine: the tests need ${needs}.`] : []),
    ...(smaller === null ? [] : [`Smaller here: ${smaller}`]),
    `${passedCount} passed${skipped}, ${seconds(shown)} on ${today()}, revision ${revision()}: ${files.join(', ')}`,
  ].join('\n\n');
}

function describePrograms(): string {
  const postgres = join(findPostgresql() ?? '', 'postgres');
  return [
    `SQLite ${process.versions.sqlite}`,
    describeProgram('PostgreSQL', [postgres, '--version']),
    describeProgram('Redis', [findRedis(), '--version']),
  ].join(', ');
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function revision(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const changed =
    git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' with changes';
  return `${git('rev-parse', '--short', 'HEAD')}${changed}`;
}
