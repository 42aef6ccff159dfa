import { styleText } from 'node:util';
import { ConfigError, type LoadedConfig, loadConfig } from '../../platform/config/config.ts';
import { lookAtData } from './data.ts';
import { lookAtDatabase } from './database.ts';
import { judgeClock } from './clock.ts';
import { lookAtFiles } from './open-files.ts';
import { type Finding } from './finding.ts';
import { lookAtPorts } from './ports.ts';
import { lookAtRedis } from './redis.ts';
import { lookAtUpstreams } from './upstreams.ts';
import type { Io, OutputStream } from '../io.ts';
import { createProgress } from '../progress.ts';
import { type Report, sentenceOf } from '../report.ts';

/**
 * Looks for what is wrong and says what to do. Works beside a running server and when nothing works at all, and
 * changes nothing.
 */
export async function doctor(io: Io): Promise<Report> {
  const progress = createProgress(io.stderr);
  progress.tell('looking …');
  const findings = await lookAtEverything(io.env);
  progress.end();
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  return {
    document: { ok: wrong === 0, findings },
    text: findings.map((finding) => describe(finding, io.stdout)).join('\n'),
    failure: wrong > 0 ? `${wrong} of ${findings.length} checks found something wrong` : undefined,
  };
}

async function lookAtEverything(env: Io['env']): Promise<readonly Finding[]> {
  let loaded: LoadedConfig;
  try {
    loaded = loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'change it in the environment or in .env; "config" shows what is in effect';
    return [
      ...error.problems.map((found): Finding => ({
        check: 'configuration',
        state: 'wrong',
        found,
        advice,
      })),
      { check: 'the rest', state: 'skipped', found: 'needs a configuration that can be used' },
    ];
  }
  const { config } = loaded;
  const [database, redis, upstreams, ports] = await Promise.all([
    lookAtDatabase(config.databaseUrl),
    lookAtRedis(config.redisUrl),
    Promise.all(lookAtUpstreams(config)),
    Promise.all(lookAtPorts(config)),
  ]);
  const data = database.isReadable ? await lookAtDataOr(config) : [unreadable];
  const clocks = [database, redis, ...upstreams].flatMap(({ clock }) => clock ?? []);
  return [
    ...describeConfig(loaded),
    ...database.findings,
    ...data,
    redis.finding,
    ...upstreams.map(({ finding }) => finding),
    judgeClock(clocks),
    ...ports,
    lookAtFiles(config),
  ];
}

const unreadable: Finding = {
  check: 'data',
  state: 'skipped',
  found: 'secret key and freshness are read from a database with all its tables',
};

async function lookAtDataOr(config: LoadedConfig['config']): Promise<readonly Finding[]> {
  try {
    return await lookAtData(config);
  } catch (error) {
    const advice = 'look at the database, and call doctor again';
    return [{ check: 'data', state: 'wrong', found: sentenceOf(error), advice }];
  }
}

function describeConfig({ sources, warnings }: LoadedConfig): readonly Finding[] {
  const all = Object.values(sources);
  const given = all.filter((source) => source !== 'default').length;
  const check = 'configuration';
  return [
    { check, state: 'ok', found: `${given} of ${all.length} settings are not the defaults` },
    ...warnings.map((found): Finding => ({ check, state: 'warning', found, advice: 'correct it' })),
  ];
}

const colours = { ok: 'green', warning: 'yellow', wrong: 'red', skipped: 'dim' } as const;

/** One line: what it is about, what was found, what to do. */
function describe({ check, state, found, advice }: Finding, stdout: OutputStream): string {
  const shown = styleText(colours[state], state.padEnd(8), { stream: stdout });
  const line = `${shown} ${check.padEnd(16)} ${found}${advice === undefined ? '' : ` → ${advice}`}`;
  return line.replaceAll(/\s*\n\s*/g, ' ');
}
