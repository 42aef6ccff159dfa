import { describe, expect, it } from 'vitest';
import { hasRedis, startRedis } from '../support/open-redis.ts';
import { runDoctor } from './support/run-doctor.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';

describe.skipIf(!hasRedis)('doctor with Redis', () => {
  it('runs a script, and compares the clock of Redis', async () => {
    const { env } = await startUpstreams();
    const redis = await startRedis();

    const { found } = await runDoctor({ ...env, REDIS_URL: redis.url });

    expect(found['redis']).toMatchObject({ state: 'ok' });
    expect(found['redis']?.found).toMatch(/^version \d.*, a script took [\d.]+ ms$/);
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
});
