import type { Command } from 'commander';
import { changing, reporting, reports, type Io } from '../report.ts';

/** Adds the commands of stored VAT checks. */
export function addChecks(program: Command, io: Io): void {
  reporting(program.command('check [number]'))
    .description(
      'check a VAT number, or those of a CSV file, and store the answers with their evidence; an outage is never reported as invalid',
    )
    .option('--requester <number>', 'VAT number on whose behalf; VIES_REQUESTER if left out')
    .option('--trader-name <text>', 'data of the customer, which the registry compares')
    .option('--trader-street <text>')
    .option('--trader-postcode <text>')
    .option('--trader-city <text>')
    .option('--trader-company-type <code>', 'a code of the Member State, such as DE-1')
    .option('--reference <text>', 'your own reference, at most 100 characters')
    .option('--csv <file>', 'check the numbers of this file, - for standard input; needs --out')
    .option(
      '--out <file>',
      'CSV file for the answers, replaced if it exists; - for standard output',
    )
    .option('--column <name>', 'heading of the column with the VAT numbers; guessed if left out')
    .option(
      '--charset <name>',
      'encoding of the file, such as windows-1250; found out if left out, and written to --out',
    )
    .action(
      reports(io, async (number, options) =>
        options.csv === undefined && options.out === undefined
          ? (await import('./check.ts')).checkNumber(io, number, options)
          : (await import('./check-file.ts')).checkFile(io, number, options),
      ),
    );
  const load = async () => import('./list.ts');
  const checks = program
    .command('checks')
    .description('stored VAT checks of all API keys and of the operator');
  reporting(checks.command('list'))
    .description('the newest checks, with the keys that they belong to')
    .option('--key <id>', 'only those of this key; operator for those of this command line')
    .option('--status <status>', 'pending, answered, rejected or expired')
    .option(
      '--vat-number <number>',
      'only those of this number; without its country in front, in any country',
    )
    .option('--batch <id>', 'only those of this batch')
    .option('--reference <text>', 'only those with this reference')
    .option('--reference-prefix <text>', 'only those whose reference begins so')
    .option('--since <date>', 'first day of their creation, UTC')
    .option('--limit <number>', 'maximum number of entries', '20')
    .action(reports(io, async (options) => (await load()).list(io, options)));
  reporting(checks.command('show <id>'))
    .description('one check with its answer, or with the reason why there is none yet')
    .action(reports(io, async (id) => (await load()).show(io, id)));
  changing(checks.command('forget'))
    .description(
      'delete all data about a VAT number: its checks of all API keys with their evidence and events, and its watches',
    )
    .requiredOption('--vat-number <number>', 'the number, such as DE811115368')
    .action(reports(io, async (options) => (await import('./forget.ts')).forget(io, options)));
  changing(checks.command('unblock'))
    .description('end the block by VIES before its time, once its cause is removed')
    .action(reports(io, async (options) => (await import('./unblock.ts')).unblock(io, options)));
  const watches = program
    .command('watches')
    .description('VAT numbers that are checked regularly, those of all API keys');
  reporting(watches.command('list'))
    .description('the newest watches with their last and next checks')
    .option('--key <id>', 'only those of this key')
    .option('--limit <number>', 'maximum number of entries', '20')
    .action(
      reports(io, async (options) => (await import('./list-watches.ts')).listWatches(io, options)),
    );
}
