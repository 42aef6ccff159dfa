import { Command, Option } from 'commander';
import { hideArguments } from './hidden-arguments.ts';
import { jobNames } from '../platform/schedule/run-log.ts';
import { readVersion } from '../platform/version.ts';
import { completeHelp } from './help.ts';
import type { Io } from './io.ts';
import { printReport, type Report } from './report.ts';

/** Creates the command line: all commands with their arguments and options. */
export function createProgram(args: readonly string[], io: Io): Command {
  const program = new Command('vatfx')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Errors quote the arguments, which may hold secrets.
      outputError: (text, write) => write(hideArguments(text, args)),
    })
    .description('EU VAT rates, euro exchange rates and VAT-number checks as one HTTP API')
    .version(readVersion(), '-V, --version', 'which vatfx this is')
    .showSuggestionAfterError()
    .exitOverride();

  addServers(program, io);
  addDatabase(program, io);
  reporting(program.command('doctor'))
    .description('look for what is wrong, and say what to do; exit code 1 when something is')
    .action(reports(io, async () => (await import('./doctor/doctor.ts')).doctor(io)));
  reporting(program.command('config'))
    .description('effective configuration and where each value came from')
    .action(reports(io, async () => (await import('./config.ts')).showConfig(io)));
  addJobs(program, io);
  addSnapshots(program, io);
  addKeys(program, io);
  addWebhooks(program, io);
  addSecrets(program, io);
  reporting(program.command('audit'))
    .description(
      'what was changed by hand, and by callers of their subscriptions, the newest first',
    )
    .option('--limit <number>', 'how many', '20')
    .action(reports(io, async (options) => (await import('./audit.ts')).showAudit(io, options)));
  completeHelp(program);
  return program;
}

function addServers(program: Command, io: Io): void {
  program
    .command('serve')
    .description('API, operations port and jobs in one process')
    .action(async () => (await import('./serve.ts')).serve(io));
  program
    .command('demo')
    .description(
      'the service on a fresh data folder against the built-in sandbox; no internet needed',
    )
    .action(async () => (await import('./demo.ts')).demo(io));
  program
    .command('sandbox')
    .description('the simulated upstreams alone')
    .option('--port <number>', 'port to listen on', '9100')
    .action(async (options) => (await import('./sandbox.ts')).sandbox(io, options));
}

function addDatabase(program: Command, io: Io): void {
  reporting(program.command('migrate'))
    .description('bring the database to this version; serve does it by itself')
    .action(reports(io, async () => (await import('./migrate.ts')).migrateDatabase(io)));
  reporting(program.command('copy'))
    .description('move everything from the embedded database to an empty PostgreSQL, and compare')
    .requiredOption(
      '--to <address>',
      'postgres://user@host/database; @FILE reads it from a file, so that nobody sees its password',
    )
    .action(reports(io, async (options) => (await import('./copy/copy.ts')).copy(io, options)));
  reporting(program.command('backup'))
    .description('copy the embedded database beside a running server, and check the copy')
    .argument('<file>', 'where to; it must not exist yet')
    .option('--without-key', 'leave out the key of the webhook secrets')
    .action(
      reports(io, async (file, options) =>
        (await import('./backup/backup.ts')).backup(io, file, options),
      ),
    );
  reporting(program.command('restore'))
    .description('put a backup in the place of the embedded database; no server may run')
    .argument('<file>', 'the backup')
    .action(reports(io, async (file) => (await import('./backup/restore.ts')).restore(io, file)));
}

function addJobs(program: Command, io: Io): void {
  const jobs = group(program, 'jobs', 'run a job now, list what has run');
  reporting(jobs.command('run'))
    .description('run a job now')
    .argument('<job>', jobNames.join(' or '))
    .action(reports(io, async (job) => (await import('./jobs.ts')).runJob(io, job)));
  reporting(jobs.command('list'))
    .description('last runs: start, end, outcome, counts, input digest')
    .option('--limit <number>', 'how many', '20')
    .action(reports(io, async (options) => (await import('./jobs.ts')).listRuns(io, options)));

  const backfill = group(
    program,
    'backfill',
    'store earlier snapshots; can be interrupted and repeated',
  );
  reporting(backfill.command('rates'))
    .description('earlier rate snapshots, from TEDB')
    .requiredOption('--from <date>', 'first day, 2016-01-01 or later')
    .option('--to <date>', 'last day; the day before the latest snapshot when left out')
    .action(
      reports(io, async (options) =>
        (await import('./backfill.ts')).backfillRatesCommand(io, options),
      ),
    );
  reporting(backfill.command('fx'))
    .description('missing publications of the exchange rates, from the full history')
    .option('--from <date>', 'first day', '1999-01-04')
    .action(
      reports(io, async (options) =>
        (await import('./backfill.ts')).backfillFxCommand(io, options),
      ),
    );
}

function addSnapshots(program: Command, io: Io): void {
  const snapshots = group(program, 'snapshots', 'the plausibility gate: what it holds');
  reporting(snapshots.command('held'))
    .description('snapshots that wait for a decision, with the reasons')
    .action(reports(io, async () => (await import('./snapshots.ts')).listHeldSnapshots(io)));
  reporting(snapshots.command('approve'))
    .description('publish a held snapshot')
    .argument('<id>')
    .action(reports(io, async (id) => (await import('./snapshots.ts')).approve(io, id)));
  reporting(snapshots.command('reject'))
    .description('discard a held snapshot')
    .argument('<id>')
    .action(reports(io, async (id) => (await import('./snapshots.ts')).reject(io, id)));

  const fx = group(program, 'fx', 'exchange rates that the upstream has corrected');
  reporting(fx.command('corrections'))
    .description('published values of which the ECB says something else by now')
    .action(reports(io, async () => (await import('./fx.ts')).showCorrections(io)));
  reporting(fx.command('correct'))
    .description('apply the corrections of a date; caches may hold the old body')
    .argument('<date>')
    .action(reports(io, async (date) => (await import('./fx.ts')).correct(io, date)));
}

/** Gathers an option that may be given several times. */
function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function addKeys(program: Command, io: Io): void {
  const keys = group(program, 'keys', 'API keys: who may ask, and how much');
  const limits = 'N, none, or default for what the service is set to';
  const may = 'what the key may do: read, checks or webhooks; several with commas, or given again';
  reporting(keys.command('create'))
    .description('create a key and print it, this once')
    .requiredOption('--name <name>', 'whose it is')
    .option('--rate-limit <limit>', `requests in any 60 seconds: ${limits}`)
    .option('--quota <limit>', `requests in a calendar month (UTC): ${limits}`)
    .option('--scope <scope>', `${may} (all if left out)`, collect)
    .option('--expires <date>', 'last day on which it works, UTC')
    .action(reports(io, async (options) => (await import('./keys/keys.ts')).create(io, options)));
  reporting(keys.command('list'))
    .description('all keys with their limits and use, without the keys')
    .action(reports(io, async () => (await import('./keys/keys.ts')).list(io)));
  reporting(keys.command('change'))
    .description('change a name, limits, scopes or expiry; a running server follows within seconds')
    .argument('<id>')
    .option('--name <name>', 'whose it is')
    .option('--rate-limit <limit>', `requests in any 60 seconds: ${limits}`)
    .option('--quota <limit>', `requests in a calendar month (UTC): ${limits}`)
    .option('--scope <scope>', `${may}; in place of those that it has`, collect)
    .option('--expires <date>', 'last day on which it works, UTC, or never')
    .action(
      reports(io, async (id, options) => (await import('./keys/keys.ts')).change(io, id, options)),
    );
  reporting(keys.command('rotate'))
    .description('give a key a new secret and print it, this once')
    .argument('<id>')
    .option('--overlap-hours <hours>', 'how long the one before works on, 0 to 168', '24')
    .action(
      reports(io, async (id, options) => (await import('./keys/keys.ts')).rotate(io, id, options)),
    );
  reporting(keys.command('revoke'))
    .description('end a key for good')
    .argument('<id>')
    .action(reports(io, async (id) => (await import('./keys/keys.ts')).revoke(io, id)));
  reporting(keys.command('use'))
    .description('what a key was charged on each day, for 400 days')
    .argument('<id>')
    .option('--from <date>', 'first day')
    .option('--to <date>', 'last day')
    .action(
      reports(io, async (id, options) => (await import('./keys/keys.ts')).showUse(io, id, options)),
    );
}

function addWebhooks(program: Command, io: Io): void {
  const webhooks = group(program, 'webhooks', 'who is told of changes, and whether they were');
  reporting(webhooks.command('list'))
    .description('the subscriptions of all keys')
    .option('--key <id>', 'of one key')
    .action(reports(io, async (options) => (await import('./webhooks.ts')).list(io, options)));
  reporting(webhooks.command('deliveries'))
    .description('the newest deliveries of a subscription, and how their last attempts ended')
    .argument('<id>')
    .option('--limit <number>', 'how many', '20')
    .action(
      reports(io, async (id, options) =>
        (await import('./webhooks.ts')).deliveries(io, id, options),
      ),
    );
  reporting(webhooks.command('enable'))
    .description('deliver to a subscription again; what waited is delivered now')
    .argument('<id>')
    .action(reports(io, async (id) => (await import('./webhooks.ts')).enable(io, id)));
  reporting(webhooks.command('disable'))
    .description('deliver nothing to a subscription; what is due waits')
    .argument('<id>')
    .action(reports(io, async (id) => (await import('./webhooks.ts')).disable(io, id)));
}

function addSecrets(program: Command, io: Io): void {
  const secrets = group(
    program,
    'secrets',
    'the key that stored webhook secrets are encrypted with',
  );
  reporting(secrets.command('rotate'))
    .description('encrypt every stored secret with a new key, beside running servers')
    .action(reports(io, async () => (await import('./secrets.ts')).rotate(io)));
}

function group(program: Command, name: string, description: string): Command {
  return program.command(name).description(description);
}

function reporting(command: Command): Command {
  return command.addOption(new Option('--json', 'one JSON document on standard output'));
}

/** Arguments of a command's action: its own arguments, its options, and the command. */
type Given = Parameters<Parameters<Command['action']>[0]>;

/** Makes the action of a command that reports: runs it and prints its report. */
function reports(
  io: Io,
  run: (...given: Given) => Promise<Report>,
): (...given: Given) => Promise<void> {
  return async (...given) => {
    const { json } = given.at(-2) as { readonly json?: boolean };
    printReport(io, await run(...given), json === true);
  };
}
