import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readMarkdown } from '../../docs/support/command-blocks.ts';
import { findPostgresql } from '../../support/programs.ts';

/** Runs the commands of docs/upgrading.md that begin with a program of PostgreSQL, in a folder. */
export function runDocumented(program: string, folder: string, databaseUrl: string): void {
  const page = 'docs/upgrading.md';
  const block = readMarkdown(page, readFileSync(page, 'utf8')).find(({ commands }) =>
    commands.startsWith(program),
  );
  const path = `${findPostgresql() ?? ''}:${process.env['PATH'] ?? ''}`;
  const env = { PATH: path, DATABASE_URL: databaseUrl };
  execFileSync('sh', ['-ec', block?.commands ?? 'exit 1'], { cwd: folder, env, stdio: 'pipe' });
}
