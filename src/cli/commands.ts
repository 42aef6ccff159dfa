import { Command as Registered } from 'commander';
import { describeVersion } from '../platform/version.ts';
import { programCall } from '../platform/vatfx.ts';
import type { Command, Name, NamedCommand } from './command/command.ts';
import { completeErrors, register } from './command/register.ts';
import type { Io } from './command/io.ts';
import { hideArguments } from './command/report.ts';

/** A group of commands; or a command without a group, as `--help` lists it: `backup [options] <file>`. */
type Row = Name & { readonly load: () => Promise<Command | readonly NamedCommand[]> };

/** What stands behind `vatfx`, under headings by what an operator wants. */
const headings: readonly (readonly [heading: string, rows: readonly Row[]])[] = [
  [
    'Run it:',
    [
      {
        words: 'serve',
        says: 'API, operations port, jobs and webhook delivery in one process',
        load: async () => (await import('./servers/serve.ts')).serve,
      },
      {
        words: 'demo [options]',
        says: 'serve on a new data folder with simulated upstreams; needs no internet',
        load: async () => (await import('./demo/demo.ts')).demo,
      },
      {
        words: 'sandbox [options]',
        says: 'only the simulated upstreams: TEDB, ECB, VIES and webhook receivers',
        load: async () => (await import('./servers/sandbox.ts')).sandbox,
      },
    ],
  ],
  [
    'Look after it:',
    [
      {
        words: 'doctor [options]',
        says: 'check settings, database, clocks, ports and upstreams, and say what to do; exit code 1 if something is wrong',
        load: async () => (await import('./doctor/doctor.ts')).doctor,
      },
      {
        words: 'config [options]',
        says: 'all settings, their values and where each value comes from',
        load: async () => (await import('./installation/config.ts')).config,
      },
      {
        words: 'licenses',
        says: 'the licence of vatfx, and of each package that is part of it',
        load: async () => (await import('./installation/licenses.ts')).licenses,
      },
      {
        words: 'migrate [options]',
        says: 'bring the database to this version; serve also does this',
        load: async () => (await import('./installation/migrate.ts')).migrate,
      },
      {
        words: 'copy [options]',
        says: 'copy everything from the embedded database to an empty PostgreSQL, and compare both',
        load: async () => (await import('./copy/copy.ts')).copy,
      },
      {
        words: 'backup [options] <file>',
        says: 'copy the embedded database while a server may run, and check the copy',
        load: async () => (await import('./backup/backup.ts')).backup,
      },
      {
        words: 'restore [options] <file>',
        says: 'replace the embedded database by a backup; no server may run',
        load: async () => (await import('./backup/restore.ts')).restore,
      },
    ],
  ],
  [
    'Callers:',
    [
      {
        words: 'keys',
        says: 'API keys, their limits and their scopes',
        load: async () => (await import('./callers/keys.ts')).keyCommands,
      },
      {
        words: 'webhooks',
        says: 'webhook subscriptions of callers, and their deliveries',
        load: async () => (await import('./callers/webhooks.ts')).webhookCommands,
      },
      {
        words: 'events',
        says: 'the event log, which callers read with GET /events',
        load: async () => (await import('./events/tail.ts')).eventCommands,
      },
    ],
  ],
  [
    'VAT rates and exchange rates:',
    [
      {
        words: 'jobs',
        says: 'run a job now, list the last runs',
        load: async () => (await import('./data/jobs.ts')).jobCommands,
      },
      {
        words: 'snapshots',
        says: 'snapshots that the plausibility gate holds, or that a wrong clock published',
        load: async () => (await import('./data/snapshots.ts')).snapshotCommands,
      },
      {
        words: 'backfill',
        says: 'store earlier snapshots; can be interrupted and repeated',
        load: async () => (await import('./data/backfill.ts')).backfillCommands,
      },
      {
        words: 'fx',
        says: 'exchange rates that their bank corrected, and days on which it published none',
        load: async () => (await import('./fx/corrections.ts')).fxCommands,
      },
      {
        words: 'errata',
        says: 'known errors of TEDB: rates that it reports and the law contradicts',
        load: async () => (await import('./errata/errata.ts')).errataCommands,
      },
    ],
  ],
  [
    'VAT numbers:',
    [
      {
        words: 'check [options] [number]',
        says: 'check a VAT number, or those of a CSV file, and store the answers with their evidence; an outage is never reported as invalid',
        load: async () => (await import('./checks/check.ts')).check,
      },
      {
        words: 'checks',
        says: 'stored VAT checks of all API keys and of the operator',
        load: async () => (await import('./checks/checks.ts')).checkCommands,
      },
      {
        words: 'watches',
        says: 'VAT numbers that are checked regularly, those of all API keys',
        load: async () => (await import('./checks/watches.ts')).watchCommands,
      },
      {
        words: 'evidence',
        says: 'signed evidence of VAT checks: what was queried and what the registry answered',
        load: async () => (await import('./evidence/commands.ts')).evidenceCommands,
      },
    ],
  ],
  [
    'Security:',
    [
      {
        words: 'secrets',
        says: 'the key that encrypts stored secrets: those of webhooks, and the key of evidence',
        load: async () => (await import('./installation/secrets.ts')).secretCommands,
      },
      {
        words: 'audit [options]',
        says: 'changes that operators made by hand, with who and why, and those of callers to their subscriptions; newest first',
        load: async () => (await import('./installation/audit.ts')).audit,
      },
    ],
  ],
];

/** The first words behind `vatfx`. */
export const firstWords = headings.flatMap(([, rows]) => rows.map(firstWordOf));

/**
 * Creates the command line. Only the command or group that the arguments name is loaded, with its options: it does not wait for
 * the modules of the others. Tests load several.
 */
export async function createProgram(
  args: readonly string[],
  io: Io,
  loaded: readonly string[] = findNamed(args),
): Promise<Registered> {
  const program = new Registered(programCall)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Errors quote the arguments, which may hold secrets.
      outputError: (text, write) => write(hideArguments(text, args)),
    })
    .description('EU VAT rates, euro exchange rates and VAT-number checks as one HTTP API')
    .version(describeVersion(), '-V, --version', 'version of vatfx, and its commit')
    .showSuggestionAfterError()
    .exitOverride();

  for (const [heading, rows] of headings) {
    program.commandsGroup(heading);
    for (const row of rows) {
      if (loaded.includes(firstWordOf(row))) await addLoaded(program, io, row);
      else addListed(program, row);
    }
  }
  program.commandsGroup('More:').helpCommand('help [command]', 'options and examples of a command');
  completeErrors(program);
  return program;
}

/** `help keys` and `keys list` both name `keys`. */
function findNamed(args: readonly string[]): readonly string[] {
  const [first = '', second = ''] = args.filter((arg) => !arg.startsWith('-'));
  return [first === 'help' ? second : first];
}

function firstWordOf({ words }: Row): string {
  return words.split(' ')[0] ?? '';
}

async function addLoaded(program: Registered, io: Io, row: Row): Promise<void> {
  const { says, load } = row;
  const loaded = await load();
  if ('run' in loaded) {
    register(program, io, { ...loaded, says, words: row.words.replace(' [options]', '') });
    return;
  }
  const group = program.command(firstWordOf(row)).description(says);
  for (const command of loaded) register(group, io, command);
}

function addListed(program: Registered, { words, says }: Row): void {
  const listed = program.command(words.replace(' [options]', '')).description(says);
  // With any option Commander lists `[options]`.
  if (words.includes('[options]')) listed.option('--json');
}
