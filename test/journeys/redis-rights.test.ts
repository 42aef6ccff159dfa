import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limitedKey } from '../support/open-counter.ts';
import {
  connectRedis,
  hasRedis,
  openRedis,
  startRedis,
  startRestricted,
} from '../support/open-redis.ts';
import { Replica } from '../support/open-replica.ts';
import { temporaryDatabaseUrl } from '../support/temporary-database.ts';
import { numberOf } from '../vat-check/support/vat-numbers.ts';
import { SharedAnswers } from '../../src/vat-check/look-up/shared-answers.ts';
import { redisScript } from '../../src/platform/redis/script.ts';

const away = 'redis away; each replica now admits its share of the limits';
const answer = { valid: true, requestDate: '2026-11-20+01:00', name: null, address: null };

/** A replica whose user of Redis has the rights of `docs/operating.md`, and the lines of the log of a second connection. */
async function openRestricted() {
  const { url, allow } = await startRestricted(await startRedis());
  const replica = await Replica.open({ databaseUrl: temporaryDatabaseUrl(), redisUrl: url });
  return { ...(await connectRedis(url)), url, allow, replica };
}

describe.skipIf(!hasRedis)('a restricted user of Redis (rule O13)', () => {
  it('counts limits and shares answers with the rights that docs/operating.md lists', async () => {
    const { redis, replica } = await openRestricted();
    const answers = new SharedAnswers(redis, { viesUrl: 'https://vies.example' });
    const number = numberOf('AT', 'U99999901');

    const tally = await replica.charge(limitedKey({ id: `key_${randomUUID()}`, quota: 3 }), 5);
    await answers.keep(number, answer, 60_000);

    expect(tally).toMatchObject({ ok: 3, quotaExceeded: 2 });
    expect((await answers.find(number))?.answer).toEqual(answer);
    expect(redis.isAway).toBe(false);
    expect(replica.redis?.isAway).toBe(false);
  });

  it.each(['INCRBY', 'PEXPIRE', 'EVALSHA'])(
    'is away while it may not run %s, once, with the command in the log',
    async (command) => {
      const { redis, lines, allow } = await openRestricted();
      const script = redisScript(`return redis.call('${command}', KEYS[1], 9)`);
      await allow(`-${command}`);

      for (let n = 0; n < 3; n += 1) await redis.runScript(script, ['vatfx:count'], []);
      await expect.poll(() => lines).toHaveLength(1);
      await allow(`+${command}`);
      await expect.poll(() => redis.isAway).toBe(false);

      expect(lines).toEqual([
        expect.objectContaining({
          msg: away,
          reason: `NOPERM: the user of REDIS_URL may not run ${command}`,
        }),
        expect.objectContaining({ msg: 'redis answers again' }),
      ]);
    },
  );
});

describe.skipIf(!hasRedis)('a database that Redis refuses (rule O5)', () => {
  it('is never replaced by database 0 if Redis refuses it after the start', async () => {
    const { redis, url, allow } = await openRestricted();
    const other = await connectRedis(`${url}/2`);
    await allow('-select');

    await openRedis(url.replace(/\/\/.*@/, '//')).call('CLIENT', 'KILL', 'TYPE', 'normal');
    await expect
      .poll(async () => {
        await other.redis.run(async (own) => own.set('vatfx:stray', '1'));
        return other.redis.isAway;
      })
      .toBe(true);

    expect(await redis.run(async (own) => own.get('vatfx:stray'))).toBeFalsy();
    expect(other.lines.map(({ msg }) => msg)).toEqual([away]);
    await allow('+select');
    await expect.poll(() => other.redis.isAway).toBe(false);
  });
});
