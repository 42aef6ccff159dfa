import { Command, Option } from 'commander';
import { hideArguments } from './hidden-arguments.ts';
import { jobNames } from '../platform/schedule/run-log.ts';
import { readVersion } from '../platform/version.ts';
import { completeHelp } from './usage.ts';

/** The command line: what there is, and what each command is given. */
export function createProgram(args: readonly string[]): Command {
  const program = new Command('vatfx')
    // Errors quote what was typed.
    .configureOutput({ outputError: (text, write) => write(hideArguments(text, args)) })
    .description('EU VAT rates, euro exchange rates and VAT-number checks as one HTTP API')
    .version(readVersion(), '-V, --version', 'which vatfx this is')
    .showSuggestionAfterError()
    .exitOverride();

  addServers(program);
  addDatabase(program);
  reporting(program.command('doctor'))
    .description('look for what is wrong, and say what to do; exit code 1 when something is')
    .action(async (options) => (await import('./doctor.ts')).doctor(options));
  reporting(program.command('config'))
    .description('effective configuration and where each value came from')
    .action(async (options) => (await import('./config.ts')).showConfig(options));
  addJobs(program);
  addSnapshots(program);
  addKeys(program);
  addWebhooks(program);
  addSecrets(program);
  reporting(program.command('audit'))
    .description(
      'what was changed by hand, and by callers of their subscriptions, the newest first',
    )
    .option('--limit <number>', 'how many', '20')
    .action(async (options) => (await import('./audit.ts')).showAudit(options));
  completeHelp(program);
  return program;
}

function addServers(program: Command): void {
  program
    .command('serve')
    .description('API, operations port and jobs in one process')
    .action(async () => (await import('./serve.ts')).serve());
  program
    .command('demo')
    .description(
      'the service on a fresh data folder against the built-in sandbox; no internet needed',
    )
    .action(async () => (await import('./demo.ts')).demo());
  program
    .command('sandbox')
    .description('the simulated upstreams alone')
    .option('--port <number>', 'port to listen on', '9100')
    .action(async (options) => (await import('./sandbox.ts')).sandbox(options));
}

function addDatabase(program: Command): void {
  reporting(program.command('migrate'))
    .description('bring the database to this version; serve does it by itself')
    .action(async (options) => (await import('./migrate.ts')).migrateDatabase(options));
  reporting(program.command('copy'))
    .description('move everything from the embedded database to an empty PostgreSQL, and compare')
    .requiredOption(
      '--to <address>',
      'postgres://user@host/database; @FILE reads it from a file, so that nobody sees its password',
    )
    .action(async (options) => (await import('./copy.ts')).copy(options));
  reporting(program.command('backup'))
    .description('copy the embedded database beside a running server, and check the copy')
    .argument('<file>', 'where to; it must not exist yet')
    .option('--without-key', 'leave out the key of the webhook secrets')
    .action(async (file, options) => (await import('./backup.ts')).backup(file, options));
  reporting(program.command('restore'))
    .description('put a backup in the place of the embedded database; no server may run')
    .argument('<file>', 'the backup')
    .action(async (file, options) => (await import('./restore.ts')).restore(file, options));
}

function addJobs(program: Command): void {
  const jobs = group(program, 'jobs', 'run a job now, list what has run');
  reporting(jobs.command('run'))
    .description('run a job now')
    .argument('<job>', jobNames.join(' or '))
    .action(async (job, options) => (await import('./jobs.ts')).runJob(job, options));
  reporting(jobs.command('list'))
    .description('last runs: start, end, outcome, counts, input digest')
    .option('--limit <number>', 'how many', '20')
    .action(async (options) => (await import('./jobs.ts')).listRuns(options));

  const backfill = group(
    program,
    'backfill',
    'store earlier snapshots; can be interrupted and repeated',
  );
  reporting(backfill.command('rates'))
    .description('earlier rate snapshots, from TEDB')
    .requiredOption('--from <date>', 'first day, 2016-01-01 or later')
    .option('--to <date>', 'last day; the day before the latest snapshot when left out')
    .action(async (options) => (await import('./backfill.ts')).backfillRatesCommand(options));
  reporting(backfill.command('fx'))
    .description('missing publications of the exchange rates, from the full history')
    .option('--from <date>', 'first day', '1999-01-04')
    .action(async (options) => (await import('./backfill.ts')).backfillFxCommand(options));
}

function addSnapshots(program: Command): void {
  const snapshots = group(program, 'snapshots', 'the plausibility gate: what it holds');
  reporting(snapshots.command('held'))
    .description('snapshots that wait for a decision, with the reasons')
    .action(async (options) => (await import('./snapshots.ts')).listHeldSnapshots(options));
  reporting(snapshots.command('approve'))
    .description('publish a held snapshot')
    .argument('<id>')
    .action(async (id, options) => (await import('./snapshots.ts')).approve(id, options));
  reporting(snapshots.command('reject'))
    .description('discard a held snapshot')
    .argument('<id>')
    .action(async (id, options) => (await import('./snapshots.ts')).reject(id, options));

  const fx = group(program, 'fx', 'exchange rates that the upstream has corrected');
  reporting(fx.command('corrections'))
    .description('published values of which the ECB says something else by now')
    .action(async (options) => (await import('./fx.ts')).showCorrections(options));
  reporting(fx.command('correct'))
    .description('apply the corrections of a date; caches may hold the old body')
    .argument('<date>')
    .action(async (date, options) => (await import('./fx.ts')).correct(date, options));
}

/** Gathers an option that may be given several times. */
function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function addKeys(program: Command): void {
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
    .action(async (options) => (await import('./keys.ts')).create(options));
  reporting(keys.command('list'))
    .description('all keys with their limits and use, without the keys')
    .action(async (options) => (await import('./keys.ts')).list(options));
  reporting(keys.command('change'))
    .description('change a name, limits, scopes or expiry; a running server follows within seconds')
    .argument('<id>')
    .option('--name <name>', 'whose it is')
    .option('--rate-limit <limit>', `requests in any 60 seconds: ${limits}`)
    .option('--quota <limit>', `requests in a calendar month (UTC): ${limits}`)
    .option('--scope <scope>', `${may}; in place of those that it has`, collect)
    .option('--expires <date>', 'last day on which it works, UTC, or never')
    .action(async (id, options) => (await import('./keys.ts')).change(id, options));
  reporting(keys.command('rotate'))
    .description('give a key a new secret and print it, this once')
    .argument('<id>')
    .option('--overlap-hours <hours>', 'how long the one before works on, 0 to 168', '24')
    .action(async (id, options) => (await import('./keys.ts')).rotate(id, options));
  reporting(keys.command('revoke'))
    .description('end a key for good')
    .argument('<id>')
    .action(async (id, options) => (await import('./keys.ts')).revoke(id, options));
  reporting(keys.command('use'))
    .description('what a key was charged on each day, for 400 days')
    .argument('<id>')
    .option('--from <date>', 'first day')
    .option('--to <date>', 'last day')
    .action(async (id, options) => (await import('./keys.ts')).showUse(id, options));
}

function addWebhooks(program: Command): void {
  const webhooks = group(program, 'webhooks', 'who is told of changes, and whether they were');
  reporting(webhooks.command('list'))
    .description('the subscriptions of all keys')
    .option('--key <id>', 'of one key')
    .action(async (options) => (await import('./webhooks.ts')).list(options));
  reporting(webhooks.command('deliveries'))
    .description('the newest deliveries of a subscription, and how their last attempts ended')
    .argument('<id>')
    .option('--limit <number>', 'how many', '20')
    .action(async (id, options) => (await import('./webhooks.ts')).deliveries(id, options));
  reporting(webhooks.command('enable'))
    .description('deliver to a subscription again; what waited is delivered now')
    .argument('<id>')
    .action(async (id, options) => (await import('./webhooks.ts')).enable(id, options));
  reporting(webhooks.command('disable'))
    .description('deliver nothing to a subscription; what is due waits')
    .argument('<id>')
    .action(async (id, options) => (await import('./webhooks.ts')).disable(id, options));
}

function addSecrets(program: Command): void {
  const secrets = group(
    program,
    'secrets',
    'the key that stored webhook secrets are encrypted with',
  );
  reporting(secrets.command('rotate'))
    .description('encrypt every stored secret with a new key, beside running servers')
    .action(async (options) => (await import('./secrets.ts')).rotate(options));
}

function group(program: Command, name: string, description: string): Command {
  return program.command(name).description(description).showSuggestionAfterError().exitOverride();
}

function reporting(command: Command): Command {
  return command
    .addOption(new Option('--json', 'one JSON document on standard output'))
    .exitOverride();
}
