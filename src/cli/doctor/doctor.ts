import { styleText } from 'node:util';
import { loadSettings } from '../../composition/load-settings.ts';
import { ConfigError, type LoadedConfig } from '../../platform/config/config.ts';
import type { Config } from '../../platform/config/options.ts';
import { pathOf } from '../../platform/config/public-url.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { checkCertificates } from './certificates.ts';
import { checkData } from './data.ts';
import { checkDatabase } from './database.ts';
import { judgeClock } from './clock.ts';
import { checkEncryption } from './encryption.ts';
import { checkOpenFiles } from './open-files.ts';
import { type Finding, ok, skipped, warning, wrong } from './finding.ts';
import { checkPorts } from './ports.ts';
import { checkRedis } from './redis.ts';
import { checkRegistries } from './registries.ts';
import { checkUpstreams, countQuestion, findBlock } from './upstreams.ts';
import { reporting } from '../command/command.ts';
import type { Io, OutputStream } from '../command/io.ts';
import { sentenceOf } from '../command/report.ts';
import { currentOptions } from '../installation/config.ts';
import { createProgress } from '../running/progress.ts';

/** The checks work while a server runs, and also if database and upstreams are unavailable. They change nothing. */
export const doctor = reporting({
  examples: ['doctor', 'doctor --json'],
  run: async (io) => {
    using progress = createProgress(io.stderr);
    progress.show('checking …');
    const findings = await checkAll(io.env);
    const wrongCount = findings.filter(({ state }) => state === 'wrong').length;
    return {
      document: { ok: wrongCount === 0, findings },
      text: findings.map((finding) => describe(finding, io.stdout)).join('\n'),
      failure:
        wrongCount > 0
          ? `${wrongCount} of ${findings.length} checks found something wrong`
          : undefined,
    };
  },
});

async function checkAll(env: Io['env']): Promise<readonly Finding[]> {
  let loaded: LoadedConfig;
  try {
    loaded = loadSettings(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = `change it in the environment or in .env; "${vatfx('config')}" shows what is in effect`;
    return [
      ...error.problems.map((found) => wrong('configuration', found, advice)),
      skipped('the rest', 'needs a valid configuration'),
    ];
  }
  const { config } = loaded;
  const database = await checkDatabase(config.databaseUrl);
  const block = database.isReadable ? await findBlock(config) : undefined;
  const [redis, encryption, upstreams, registries, ports] = await Promise.all([
    checkRedis(config.redisUrl),
    checkEncryption(config),
    Promise.all(checkUpstreams(config, block)),
    checkRegistries(config),
    Promise.all(checkPorts(config)),
  ]);
  if (database.isReadable && block === undefined) await countQuestion(config);
  const data = database.isReadable ? await checkDataIfPossible(config) : [unreadable];
  const clocks = [database, redis, ...upstreams].flatMap(({ clock }) => clock ?? []);
  return [
    ...describeConfig(loaded),
    ...checkCertificates(env['NODE_EXTRA_CA_CERTS']),
    ...database.findings,
    ...data,
    redis.finding,
    ...encryption,
    ...upstreams.map(({ finding }) => finding),
    ...registries,
    judgeClock(
      clocks,
      upstreams.flatMap(({ undated }) => undated ?? []),
    ),
    ...ports,
    checkOpenFiles(config),
  ];
}

const unreadable = skipped(
  'data',
  'secret key and freshness need a readable database with all its tables',
);

async function checkDataIfPossible(config: Config): Promise<readonly Finding[]> {
  try {
    return await checkData(config);
  } catch (error) {
    return [wrong('data', sentenceOf(error), 'check the database, and call doctor again')];
  }
}

function describeConfig({ config, sources, warnings }: LoadedConfig): readonly Finding[] {
  const given = currentOptions.filter(([key]) => sources[key] !== 'default').length;
  return [
    ok('configuration', `${given} of ${currentOptions.length} settings are not the defaults`),
    ...warnings.map((found) => warning('configuration', found, 'correct it')),
    ...describePublicUrl(config),
  ];
}

/** Without a request: the address may not be reachable from this machine. */
function describePublicUrl({ publicUrl }: Config): readonly Finding[] {
  const path = pathOf(publicUrl);
  const paths = path === '' ? '' : `; requests are answered with ${path} in front and without it`;
  return publicUrl === '' ? [] : [ok('public address', `${publicUrl}${paths}`)];
}

const colours = { ok: 'green', warning: 'yellow', wrong: 'red', skipped: 'dim' } as const;

/** Prints a finding as one line: state, check, what was found, what to do. */
function describe({ check, state, found, advice }: Finding, stdout: OutputStream): string {
  const shown = styleText(colours[state], state.padEnd(8), { stream: stdout });
  const line = `${shown} ${check.padEnd(16)} ${found}${advice === undefined ? '' : ` → ${advice}`}`;
  return line.replaceAll(/\s*\n\s*/g, ' ');
}
