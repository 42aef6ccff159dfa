import type { Command } from 'commander';
import { changing, collect, reporting, reports, type Io } from '../report.ts';

/** Adds the commands of known errors of the source (rule X1). */
export function addErrata(program: Command, io: Io): void {
  const load = async () => import('./errata.ts');
  const errata = program
    .command('errata')
    .description('known errors of TEDB: rates that it reports and the law contradicts');
  reporting(errata.command('list'))
    .description('list them, those of the program and your own')
    .option('--kind <kind>', 'national (rates of countries), goods, or all', 'all')
    .option('--country <code>', 'only those of this Member State')
    .option('--date <date>', 'only those that hold on this day')
    .action(reports(io, async (options) => (await load()).list(io, options)));
  changing(errata.command('add'))
    .description(
      'add one of your own: of a national rate (--field), or of goods (--category with --cn or --cpa); callers see it beside the rates, which do not change',
    )
    .requiredOption('--country <code>', 'two letters, such as DE')
    .option(
      '--field <field>',
      'standard, super_reduced, parking, reduced[0] for the lowest reduced rate, or reduced for all of them',
    )
    .option('--category <name>', "TEDB's category of goods, such as FOODSTUFFS")
    .option('--cn <code>', 'the beginning of a CN code that is meant; may be repeated', collect)
    .option('--cpa <code>', 'the same of a CPA code', collect)
    .requiredOption('--from <date>', 'first day')
    .option('--to <date>', 'last day; if left out, it is not known yet')
    .requiredOption(
      '--source <value>',
      'the value that TEDB reports: a rate such as 5.5, or none; for the field reduced a list such as 5,10; of goods also zero, exempted, out_of_scope or not_applicable, and none for no row',
    )
    .requiredOption('--law <value>', 'the value that the law says, in the same form')
    .requiredOption('--legal-basis <text>', 'the law, with its article')
    .option('--reference <text>', 'where it is published')
    .option('--condition <text>', 'of goods: for which supplies the law says so')
    .action(reports(io, async (options) => (await load()).add(io, options)));
  changing(errata.command('remove <id>'))
    .description('remove one of your own')
    .action(reports(io, async (id, options) => (await load()).remove(io, id, options)));
}
