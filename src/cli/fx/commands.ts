import type { Command } from 'commander';
import { bankNames } from '../../platform/publication/data-set-kinds.ts';
import { changing, reporting, reports, type Io } from '../report.ts';

/** Adds the commands of corrected exchange rates, and of days on which a bank published none (rules C20, N7b). */
export function addFx(program: Command, io: Io): void {
  const load = async () => import('./corrections.ts');
  const loadClosings = async () => import('./closings.ts');
  const fx = program
    .command('fx')
    .description('exchange rates that their bank corrected, and days on which it published none');
  reporting(fx.command('corrections'))
    .description('list published values that their bank has changed since')
    .action(reports(io, async () => (await load()).showCorrections(io)));
  changing(fx.command('correct <date>'))
    .description('apply the corrections of a date; caches may still hold the old body')
    .option('--bank <bank>', `ecb, ${bankNames.join(' or ')}`, 'ecb')
    .action(reports(io, async (date, options) => (await load()).correct(io, date, options)));
  const bank = ['--bank <bank>', bankNames.join(' or ')] as const;
  reporting(fx.command('closings'))
    .description('list the days on which a bank published nothing, as operators said')
    .action(reports(io, async () => (await loadClosings()).showClosings(io)));
  changing(fx.command('closed <date>'))
    .description(
      'say that a national bank published nothing on a day; rates by law may rest on that; needs --reason',
    )
    .requiredOption(...bank)
    .action(reports(io, async (date, options) => (await loadClosings()).close(io, date, options)));
  changing(fx.command('reopen <date>'))
    .description('take that back; caches may still hold answers that rest on it')
    .requiredOption(...bank)
    .action(reports(io, async (date, options) => (await loadClosings()).reopen(io, date, options)));
}
