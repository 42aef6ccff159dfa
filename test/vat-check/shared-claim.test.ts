import { describe, expect, it } from 'vitest';
import type { RedisConnection } from '../../src/platform/redis/connection.ts';
import type { Answer } from '../../src/vat-check/outcome.ts';
import { type Claim, SharedAnswers } from '../../src/vat-check/shared-answers.ts';
import { connectRedis, hasRedis, shareRedis } from '../support/open-redis.ts';
import { readAll } from './support/redis-entries.ts';
import { numberOf } from './support/vat-numbers.ts';

const viesUrl = 'https://vies.example/checkVatService';
const vatNumber = numberOf('AT', 'U99999901');
const answer: Answer = { valid: true, requestDate: '2026-11-20+01:00', name: null, address: null };
/** A deadline longer than any test, so that a wait ends by the event that it waits for. */
const waitLong = { waitMs: 60_000 };
const noWait = { waitMs: 0 };
/** The lifetime of a claim that is not renewed. */
const claimMs = 2_000;

const redis = shareRedis();

async function openTriple() {
  const connections = await Promise.all(
    [1, 2, 3].map(async () => (await connectRedis(redis().url)).redis),
  );
  const [connection, second, third] = connections as [
    RedisConnection,
    RedisConnection,
    RedisConnection,
  ];
  await connection.run(async (commands) => commands.flushall());
  const [here, there, elsewhere] = [
    new SharedAnswers(connection, { viesUrl }),
    new SharedAnswers(second, { viesUrl }),
    new SharedAnswers(third, { viesUrl }),
  ];
  return { connection, second, here, there, elsewhere };
}

type Claimed = Awaited<ReturnType<SharedAnswers['claim']>>;

function isClaim(claimed: Claimed): claimed is Claim {
  return claimed !== undefined && 'release' in claimed;
}

async function claimFirst(replica: SharedAnswers, of = vatNumber): Promise<Claim> {
  const claimed = await replica.claim(of, noWait);
  if (!isClaim(claimed)) throw new Error('the number is claimed already');
  return claimed;
}

/** The only key in Redis. */
async function onlyKey(connection: RedisConnection): Promise<string> {
  const all = await readAll(connection);
  expect(all).toHaveLength(1);
  return all[0]?.[0] ?? '';
}

describe.skipIf(!hasRedis)('a claim to look a number up (contract C24)', () => {
  it('is given to one of many replicas', async () => {
    const { here, there, elsewhere } = await openTriple();

    const claimed = await Promise.all(
      Array.from({ length: 30 }, async (_, at) =>
        [here, there, elsewhere][at % 3]?.claim(vatNumber, noWait),
      ),
    );

    expect(claimed.filter((one) => isClaim(one))).toHaveLength(1);
    expect(claimed.filter((one) => one === undefined)).toHaveLength(29);
  });

  it('ends with the answer for all replicas that wait, with its remaining lifetime', async () => {
    const { here, there, elsewhere } = await openTriple();
    const claim = await claimFirst(here);

    const others = [there, elsewhere].map(async (one) => one.claim(vatNumber, waitLong));
    await here.keep(vatNumber, answer, 300_000);
    await claim.release();

    for (const claimed of await Promise.all(others)) {
      expect(claimed).toMatchObject({ answer });
      expect(claimed).toHaveProperty(
        'leftMs',
        expect.toSatisfy((leftMs) => leftMs <= 300_000),
      );
    }
  });

  it('goes to the waiting replicas, one at a time, if it is released without an answer', async () => {
    const { here, there, elsewhere } = await openTriple();
    const claim = await claimFirst(here);
    const second = there.claim(vatNumber, waitLong);
    const third = elsewhere.claim(vatNumber, waitLong);

    await claim.release();

    const next = await Promise.race([second, third]);
    expect(next).toHaveProperty('release');
    expect(await here.claim(vatNumber, noWait)).toBeUndefined();
    await (next as Claim).release();
    for (const claimed of await Promise.all([second, third])) {
      expect(claimed).toHaveProperty('release');
    }
  });

  it('is waited for no longer than the deadline of the caller', async () => {
    const { here, there } = await openTriple();
    await claimFirst(here);

    expect(await there.claim(vatNumber, { waitMs: 60 })).toBeUndefined();
  });

  it('ends 2 s after its replica was killed', async () => {
    const { here, there, connection, second } = await openTriple();
    await claimFirst(here);
    const key = await onlyKey(second);

    connection.stop();
    const leftMs = await second.run(async (commands) => commands.pttl(key));
    // Has the same effect as if that time had passed.
    await second.run(async (commands) => commands.pexpire(key, 1));

    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(claimMs);
    expect(await there.claim(vatNumber, waitLong)).toHaveProperty('release');
  });

  it('is renewed as long as its replica lives', async () => {
    const { here, connection } = await openTriple();
    await claimFirst(here);
    const key = await onlyKey(connection);

    // A renewal sets the full lifetime, so a changed lifetime shows that one has happened.
    await connection.run(async (commands) => commands.pexpire(key, 10 * claimMs));

    await expect
      .poll(async () => connection.run(async (commands) => commands.pttl(key)))
      .toBeLessThanOrEqual(claimMs);
    expect(await onlyKey(connection)).toBe(key);
  });

  it('stays with another replica if an old claim is released late', async () => {
    const { here, there, elsewhere, connection } = await openTriple();
    const late = await claimFirst(here);
    await connection.run(async (commands) => commands.flushall());
    await claimFirst(there);

    await late.release();

    expect(await elsewhere.claim(vatNumber, noWait)).toBeUndefined();
  });

  it('is not given if there is an answer, and leaves nothing in Redis', async () => {
    const { here, there, connection } = await openTriple();
    await here.keep(vatNumber, answer, 300_000);

    expect(await there.claim(vatNumber, waitLong)).toMatchObject({ answer });

    expect(await readAll(connection)).toEqual([
      [expect.stringMatching(/:answer:/), JSON.stringify(answer)],
    ]);
  });

  it('leaves nothing in Redis after its release', async () => {
    const { here, connection } = await openTriple();
    const claim = await claimFirst(here);
    expect(await readAll(connection)).toHaveLength(1);

    await claim.release();

    expect(await readAll(connection)).toEqual([]);
  });

  it('is shared by both codes of Greece', async () => {
    const { here, there } = await openTriple();
    await claimFirst(here, numberOf('GR', '999999901'));

    expect(await there.claim(numberOf('EL', '999999901'), noWait)).toBeUndefined();
  });

  it('is separate for each number, and for each registry', async () => {
    const { here, there, connection } = await openTriple();
    await claimFirst(here);

    const atTrial = new SharedAnswers(connection, { viesUrl: 'https://vies.example/test' });

    expect(await claimFirst(there, numberOf('AT', 'U99999902'))).toHaveProperty('release');
    expect(await claimFirst(atTrial)).toHaveProperty('release');
  });

  it('can be released even if Redis confirmed it too late', async () => {
    const { here, there, connection } = await openTriple();

    redis().pause();
    const claimed = await here.claim(vatNumber, waitLong);
    redis().resume();
    await expect.poll(async () => readAll(connection)).toHaveLength(1);
    if (isClaim(claimed)) await claimed.release();

    expect(await there.claim(vatNumber, noWait)).toHaveProperty('release');
  });
});
