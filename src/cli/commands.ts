import { Command } from 'commander';
import { addChecks } from './checks/commands.ts';
import { changing, collect, reporting, reports, hideArguments, type Io } from './report.ts';
import { addErrata } from './errata/commands.ts';
import { addEvents } from './events/commands.ts';
import { addEvidence } from './evidence/commands.ts';
import { addFx } from './fx/commands.ts';
import { allKinds } from '../platform/publication/data-set-kinds.ts';
import { overlapHoursDefault, overlapHoursMax } from '../platform/encryption/secret-overlap.ts';
import { describeVersion } from '../platform/version.ts';
import { programCall } from '../platform/vatfx.ts';
import { completeHelp } from './help.ts';

/** Creates the command line: all commands with their arguments and options. */
export function createProgram(args: readonly string[], io: Io): Command {
  const program = new Command(programCall)
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

  for (const [heading, additions] of groups) {
    program.commandsGroup(heading);
    for (const add of additions) add(program, io);
  }
  program.commandsGroup('More:').helpCommand('help [command]', 'options and examples of a command');
  completeHelp(program);
  return program;
}

/** The commands as `--help` lists them, in groups by what an operator wants. */
const groups: readonly (readonly [
  heading: string,
  additions: readonly ((program: Command, io: Io) => void)[],
])[] = [
  ['Run it:', [addServers]],
  ['Look after it:', [addExamination, addDatabase]],
  ['Callers:', [addKeys, addWebhooks, addEvents]],
  ['VAT rates and exchange rates:', [addJobs, addSnapshots, addBackfill, addFx, addErrata]],
  ['VAT numbers:', [addChecks, addEvidence]],
  ['Security:', [addSecrets, addAudit]],
];

function addExamination(program: Command, io: Io): void {
  reporting(program.command('doctor'))
    .description(
      'check settings, database, clocks, ports and upstreams, and say what to do; exit code 1 if something is wrong',
    )
    .action(reports(io, async () => (await import('./doctor/doctor.ts')).doctor(io)));
  reporting(program.command('config'))
    .description('all settings, their values and where each value comes from')
    .action(reports(io, async () => (await import('./config.ts')).showConfig(io)));
  program
    .command('licenses')
    .description('the licence of vatfx, and of each package that is part of it')
    .action(async () => (await import('./licenses.ts')).printLicenses(io));
}

function addServers(program: Command, io: Io): void {
  const host = 'address to listen on; 0.0.0.0 is every address, for containers';
  program
    .command('serve')
    .description('API, operations port, jobs and webhook delivery in one process')
    .action(async () => (await import('./serve.ts')).serve(io));
  program
    .command('demo')
    .description('serve on a new data folder with simulated upstreams; needs no internet')
    .option('--port <number>', 'port of the API, 0 for any free ports; if left out, PORT')
    .option('--ops-port <number>', 'operations port; if left out, OPS_PORT')
    .option('--host <address>', host)
    .action(async (options) => (await import('./demo/demo.ts')).demo(io, options));
  program
    .command('sandbox')
    .description('only the simulated upstreams: TEDB, ECB, VIES and webhook receivers')
    .option('--port <number>', 'port to listen on, 0 for any free port', '9100')
    .option('--host <address>', host, '127.0.0.1')
    .action(async (options) => (await import('./sandbox.ts')).sandbox(io, options));
}

function addDatabase(program: Command, io: Io): void {
  reporting(program.command('migrate'))
    .description('bring the database to this version; serve also does this')
    .action(reports(io, async () => (await import('./migrate.ts')).migrateDatabase(io)));
  reporting(program.command('copy'))
    .description(
      'copy everything from the embedded database to an empty PostgreSQL, and compare both',
    )
    .requiredOption(
      '--to <address>',
      'postgres://user@host/database; @FILE reads it from a file, @- from standard input, so that the password is not in the list of processes',
    )
    .action(reports(io, async (options) => (await import('./copy/copy.ts')).copy(io, options)));
  reporting(program.command('backup'))
    .description('copy the embedded database while a server may run, and check the copy')
    .argument('<file>', 'the new file; it must not exist yet. - is standard output')
    .option('--without-key', 'leave out the key of the stored secrets')
    .action(
      reports(io, async (file, options) =>
        (await import('./backup/backup.ts')).backup(io, file, options),
      ),
    );
  reporting(program.command('restore'))
    .description('replace the embedded database by a backup; no server may run')
    .argument('<file>', 'the backup. - is standard input')
    .action(reports(io, async (file) => (await import('./backup/restore.ts')).restore(io, file)));
}

function addJobs(program: Command, io: Io): void {
  const load = async () => import('./jobs.ts');
  const jobs = program.command('jobs').description('run a job now, list the last runs');
  reporting(jobs.command('run'))
    .description('run a job now')
    .argument('<job>', allKinds.join(', '))
    .action(reports(io, async (job) => (await load()).runJob(io, job)));
  reporting(jobs.command('list'))
    .description('the last runs: start, end, outcome, counts, digest of the input')
    .option('--limit <number>', 'maximum number of entries', '20')
    .action(reports(io, async (options) => (await load()).listRuns(io, options)));
}

function addBackfill(program: Command, io: Io): void {
  const load = async () => import('./backfill.ts');
  const backfill = program
    .command('backfill')
    .description('store earlier snapshots; can be interrupted and repeated');
  reporting(backfill.command('rates'))
    .description('earlier rate snapshots, from TEDB')
    .requiredOption('--from <date>', 'first day, 2016-01-01 or later')
    .option(
      '--to <date>',
      'last day; if left out, the day before the latest snapshot, with --categories today',
    )
    .option('--categories', 'add the rows by goods category to stored snapshots that have none')
    .action(reports(io, async (options) => (await load()).backfillRates(io, options)));
  reporting(backfill.command('fx'))
    .description('missing publications of exchange rates, from the full history of the ECB')
    .option('--from <date>', 'first day', '1999-01-04')
    .action(reports(io, async (options) => (await load()).backfillFx(io, options)));
}

function addSnapshots(program: Command, io: Io): void {
  const load = async () => import('./snapshots.ts');
  const snapshots = program
    .command('snapshots')
    .description('snapshots that the plausibility gate holds, or that a wrong clock published');
  reporting(snapshots.command('held'))
    .description('list the snapshots that wait for a decision, with the reasons')
    .action(reports(io, async () => (await load()).listHeldSnapshots(io)));
  const argument = [
    '<id-or-date>',
    'its id, or its date if only one of that date is held',
  ] as const;
  reporting(snapshots.command('show'))
    .description('what a held snapshot changes, compared with the newest stored day')
    .argument(...argument)
    .action(reports(io, async (id) => (await load()).show(io, id)));
  changing(snapshots.command('approve'))
    .description('publish a held snapshot, and print what it changes; this cannot be undone')
    .argument(...argument)
    .option('--yes', 'also if rates or all goods of a country, or a currency, vanish')
    .action(reports(io, async (id, options) => (await load()).approve(io, id, options)));
  changing(snapshots.command('reject'))
    .description('discard a held snapshot')
    .argument(...argument)
    .action(reports(io, async (id, options) => (await load()).reject(io, id, options)));
  changing(snapshots.command('withdraw'))
    .description(
      'take back published versions that are later than today, after a wrong clock has published them; caches may still hold them',
    )
    .requiredOption('--after <date>', 'today or a later date; every later version is taken back')
    .action(reports(io, async (options) => (await load()).withdraw(io, options)));
}

function addKeys(program: Command, io: Io): void {
  const load = async () => import('./keys/keys.ts');
  const keys = program.command('keys').description('API keys, their limits and their scopes');
  const limits = 'N, none, or default for the limit in the settings';
  const scopes =
    'scope of the key: read, checks or webhooks; several with commas, or repeat the option';
  const callsPerDayOption =
    'calls to VIES in a UTC day that its callers wait for: N, none, or default for a quarter of VIES_CALLS_PER_DAY';
  const requesterOption =
    'VAT number on whose behalf its stored checks are made, such as NL854265259B01';
  changing(keys.command('create'))
    .description('create a key and print it; it cannot be shown again')
    .requiredOption('--name <name>', 'name of the caller')
    .option('--rate-limit <limit>', `requests in a window of 60 seconds: ${limits}`)
    .option('--quota <limit>', `requests in a calendar month (UTC): ${limits}`)
    .option('--calls-per-day <limit>', callsPerDayOption)
    .option('--scope <scope>', `${scopes} (all if left out)`, collect)
    .option('--requester <number>', requesterOption)
    .option('--expires <date>', 'last day on which the key works, UTC')
    .action(reports(io, async (options) => (await load()).create(io, options)));
  reporting(keys.command('list'))
    .description('all keys with their limits and use, without the secrets')
    .action(reports(io, async () => (await load()).list(io)));
  changing(keys.command('change <id>'))
    .description(
      'change name, limits, scopes, requester or expiry; running servers follow within seconds',
    )
    .option('--name <name>', 'name of the caller')
    .option('--rate-limit <limit>', `requests in a window of 60 seconds: ${limits}`)
    .option('--quota <limit>', `requests in a calendar month (UTC): ${limits}`)
    .option('--calls-per-day <limit>', callsPerDayOption)
    .option('--scope <scope>', `${scopes}; replaces the present scopes`, collect)
    .option('--requester <number>', `${requesterOption}; none for no requester`)
    .option('--expires <date>', 'last day on which the key works, UTC, or never')
    .action(reports(io, async (id, options) => (await load()).change(io, id, options)));
  changing(keys.command('rotate <id>'))
    .description('give a key a new secret and print it; it cannot be shown again')
    .option(
      '--overlap-hours <hours>',
      `how long the old secret still works, 0 to ${overlapHoursMax}`,
      String(overlapHoursDefault),
    )
    .action(async (id, options) => (await load()).rotate(io, id, options));
  changing(keys.command('revoke <id>'))
    .description('revoke a key permanently')
    .action(reports(io, async (id, options) => (await load()).revoke(io, id, options)));
  reporting(keys.command('use <id>'))
    .description('requests that a key was charged for, by day, for 400 days')
    .option('--from <date>', 'first day')
    .option('--to <date>', 'last day')
    .action(reports(io, async (id, options) => (await load()).showUse(io, id, options)));
}

function addWebhooks(program: Command, io: Io): void {
  const load = async () => import('./webhooks.ts');
  const webhooks = program
    .command('webhooks')
    .description('webhook subscriptions of callers, and their deliveries');
  reporting(webhooks.command('list'))
    .description('the subscriptions of all keys')
    .option('--key <id>', 'only those of this key')
    .action(reports(io, async (options) => (await load()).list(io, options)));
  reporting(webhooks.command('deliveries <id>'))
    .description('the newest deliveries of a subscription, with the result of the last attempt')
    .option('--limit <number>', 'maximum number of entries', '20')
    .action(reports(io, async (id, options) => (await load()).deliveries(io, id, options)));
  reporting(webhooks.command('networks'))
    .description('the networks into which nothing is ever delivered, as CIDR, one on each line')
    .option('--squid', 'as access rules of Squid, for WEBHOOK_PROXY')
    .action(reports(io, async (options) => (await load()).networks(io, options)));
  changing(webhooks.command('enable <id>'))
    .description('enable a subscription; its waiting deliveries are made now')
    .action(
      reports(io, async (id, options) =>
        (await load()).setStatus(io, id, { ...options, status: 'enabled' }),
      ),
    );
  changing(webhooks.command('disable <id>'))
    .description('disable a subscription; due deliveries wait')
    .action(
      reports(io, async (id, options) =>
        (await load()).setStatus(io, id, { ...options, status: 'disabled' }),
      ),
    );
}

function addSecrets(program: Command, io: Io): void {
  const secrets = program
    .command('secrets')
    .description(
      'the key that encrypts stored secrets: those of webhooks, and the key of evidence',
    );
  changing(secrets.command('rotate'))
    .description('encrypt every stored secret with a new key; servers may run')
    .action(reports(io, async (options) => (await import('./secrets.ts')).rotate(io, options)));
}

function addAudit(program: Command, io: Io): void {
  reporting(program.command('audit'))
    .description(
      'changes that operators made by hand, with who and why, and those of callers to their subscriptions; newest first',
    )
    .option('--limit <number>', 'maximum number of entries', '20')
    .action(reports(io, async (options) => (await import('./audit.ts')).showAudit(io, options)));
}
