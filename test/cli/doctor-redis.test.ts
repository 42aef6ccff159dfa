import { describe, expect, it } from 'vitest';
import { checkEncryption } from '../../src/cli/doctor/encryption.ts';
import { Secret } from '../../src/platform/config/secret.ts';
import { hasRedis, openRedis, startRedis, startRestricted } from '../support/open-redis.ts';
import { runCommand } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { runDoctor } from './support/run-doctor.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';

describe.skipIf(!hasRedis)('doctor with Redis', () => {
  it('runs a script, and compares the clock of Redis', async () => {
    const { env } = await startUpstreams();
    const redis = await startRedis();

    const { found } = await runDoctor({ ...env, REDIS_URL: redis.url });

    expect(found['redis']).toMatchObject({ state: 'ok' });
    expect(found['redis']?.found).toMatch(
      /^version \d.*, all commands and a script took [\d.]+ ms$/,
    );
    expect(found['clock']?.found).toMatch(/\d s (?:behind|ahead of) redis/);
  });

  it('reports why Redis cannot be used', async () => {
    const { env } = await startUpstreams();
    const redis = await startRedis(['--requirepass', 'hush']);

    const { code, found } = await runDoctor({ ...env, REDIS_URL: redis.url });

    expect(code).toBe(1);
    expect(found['redis']?.state).toBe('wrong');
    expect(found['redis']?.found).toContain('NOAUTH');
    expect(found['redis']?.advice).toContain('check REDIS_URL');
  });

  it.each([
    ['/99', '99'],
    ['?db=77', '77'],
  ])('reports a database that Redis refuses, and serve stops: %s', async (path, number) => {
    const { env } = await startUpstreams();
    const redis = await startRedis();
    const settings = { ...env, REDIS_URL: `${redis.url}${path}` };

    const doctor = await runDoctor(settings);
    const serve = await runCommand(['serve'], settings);

    const { state, found, advice } = doctor.found['redis'] ?? {};
    expect([state, found]).toEqual([
      'wrong',
      `Redis refuses the database ${number} of REDIS_URL (ERR)`,
    ]);
    expect([serve.code, serve.stderr]).toEqual([1, `error: ${found}; ${advice}\n`]);
    expect(await openRedis(redis.url).keys('*')).toEqual([]);
  });

  it('works with the rights that docs/operating.md lists, and names each that is missing', async () => {
    const { env } = await startUpstreams();
    const { url, allow } = await startRestricted(await startRedis());
    const settings = { ...env, REDIS_URL: `${url}/1` };

    const complete = await runDoctor(settings);
    const missing: unknown[] = [];
    for (const command of commands) {
      await allow(`-${command}`);
      missing.push((await runDoctor(settings)).found['redis']?.found);
      await allow(`+${command}`);
    }
    await allow('resetkeys', '~other:*');
    const otherKeys = await runDoctor(settings);

    expect(complete.found['redis']?.state).toBe('ok');
    const named = commands.map((one) => `NOPERM: the user of REDIS_URL may not run ${one}`);
    expect(missing).toEqual(named);
    expect(otherKeys.found['redis']).toMatchObject({
      state: 'wrong',
      found: 'NOPERM: the user of REDIS_URL may not use the keys vatfx:* with SET',
      advice: 'give the user the rights that docs/operating.md lists under "Redis"',
    });
  });

  it('reports Redis Cluster', async () => {
    const { env } = await startUpstreams();
    const redis = await startRedis(['--cluster-enabled', 'yes', '--dir', temporaryFolder()]);

    const { found } = await runDoctor({ ...env, REDIS_URL: redis.url });

    expect(found['redis']?.found).toBe('CLUSTERDOWN: Redis Cluster is not supported');
  });

  it.each([
    ['10.0.0.1', 'ok', 'not encrypted, to the private address 10.0.0.1'],
    ['203.0.113.7', 'warning', 'not encrypted, to the public address 203.0.113.7'],
    ['[2001:4860::1]', 'warning', 'not encrypted, to the public address 2001:4860::1'],
  ])('says that the connection to %s is not encrypted', async (host, state, found) => {
    const findings = await checkEncryption({
      databaseUrl: new Secret('file:a.db', ''),
      redisUrl: new Secret(`redis://${host}`, ''),
    });

    expect(findings).toEqual([expect.objectContaining({ check: 'redis tls', state, found })]);
  });
});

const commands = ['INFO', 'GET', 'SET', 'PTTL', 'PEXPIRE', 'INCRBY', 'EVAL', 'EVALSHA', 'TIME'];
