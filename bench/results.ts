import { join } from 'node:path';
import { findNginx, findPostgresql, findRedis } from '../test/support/programs.ts';
import { describeMachine, describeProgram } from './machine.ts';
import { median, type Result } from './measure.ts';

/** One line of the table of results. */
export function formatRow(result: Result): string {
  const { name, rounds, unit, goal } = result;
  const [least, most] = [Math.min(...rounds), Math.max(...rounds)];
  const cells = [median(rounds), least, most].map(formatFigure);
  const columns = [name, ...cells, unit, rounds.length, goal, judge(median(rounds), goal)];
  return `| ${columns.join(' | ')} |`;
}

/** Whether a figure meets its goal. A goal that is not a simple limit is not judged. */
export function judge(found: number, goal: string): 'met' | 'missed' | '—' {
  const [, direction, limit] = /^([≥≤]) ([\d.]+)/.exec(goal) ?? [];
  if (limit === undefined) return '—';
  const isMet = direction === '≥' ? found >= Number(limit) : found <= Number(limit);
  return isMet ? 'met' : 'missed';
}

export function formatFigure(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 1_000 ? 1 : 0);
}

/** The page of results: machine, programs, and figures. */
export function printResults(results: readonly Result[], tookMs: number): string {
  const date = new Date().toISOString().slice(0, 10);
  return `# Results

<!-- Written by \`npm run bench\`; do not edit. -->

${date}, ${describeMachine()}. ${describePrograms()}.
Took ${(tookMs / 60_000).toFixed(1)} minutes. The machine is shared: medians count, and the spread shows how much the figures vary.
[NOTES.md](NOTES.md) explains why goals were missed; the goals are those of \`goals.ts\`.

| what | median | least | most | unit | rounds | goal | |
|---|---|---|---|---|---|---|---|
${results.map(formatRow).join('\n')}
`;
}

function describePrograms(): string {
  const postgresql = join(findPostgresql() ?? '', 'postgres');
  return [
    describeProgram('nginx', [findNginx(), '-v']),
    describeProgram('wrk', ['wrk', '-v']),
    describeProgram('PostgreSQL', [postgresql, '--version']),
    describeProgram('Redis', [findRedis(), '--version']),
  ].join(', ');
}
