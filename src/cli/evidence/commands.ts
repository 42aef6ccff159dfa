import type { Command } from 'commander';
import { changing, reporting, reports, type Io } from '../report.ts';

/** Adds the commands of the evidence of VAT checks. */
export function addEvidence(program: Command, io: Io): void {
  const evidence = program
    .command('evidence')
    .description('signed evidence of VAT checks: what was queried and what the registry answered');
  reporting(evidence.command('verify <file>'))
    .description(
      'verify the evidence of a check from its file; needs no settings, database or network; exit code 0 if it holds, 1 if not, ' +
        '3 if nothing is wrong but no published keys were given',
    )
    .option(
      '--keys <file>',
      'the published keys, saved from GET /evidence/keys: without them nothing is proven. Either file may be -, standard input',
    )
    .action(
      reports(io, async (file, options) => (await import('./verify.ts')).verify(io, file, options)),
    );
  reporting(evidence.command('export'))
    .description(
      'write the evidence of checks, one file per check; can be interrupted and repeated; replaces no file',
    )
    .requiredOption('--since <date>', 'first day of the creation of the checks, UTC')
    .requiredOption('--out <folder>', 'the folder; it is made if it does not exist')
    .action(
      reports(io, async (options) => (await import('./export.ts')).exportEvidence(io, options)),
    );
  changing(evidence.command('rotate'))
    .description('sign with a new key from now on; earlier evidence still holds; servers may run')
    .action(reports(io, async (options) => (await import('./rotate.ts')).rotate(io, options)));
}
