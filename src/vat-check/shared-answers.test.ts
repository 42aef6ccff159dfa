import { describe, expect, it, vi } from 'vitest';
import { connectRedis, hasRedis, shareRedis } from '../../test/support/open-redis.ts';
import { readAll } from '../../test/vat-check/support/redis-entries.ts';
import { numberOf } from '../../test/vat-check/support/vat-numbers.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Answer } from './outcome.ts';
import { SharedAnswers } from './shared-answers.ts';

const viesUrl = 'https://vies.example/checkVatService';
const hourMs = 3_600_000;
const vatNumber = numberOf('AT', 'U99999901');
const answer: Answer = {
  valid: true,
  requestDate: '2026-11-20+01:00',
  name: 'Erfundene Backwaren GmbH',
  address: 'Erfindergasse 1\nAT-1010 Wien',
};

const redis = shareRedis();

/** Two replicas on an empty Redis, and the connection of the first. */
async function openPair(): Promise<{
  readonly here: SharedAnswers;
  readonly there: SharedAnswers;
  readonly connection: RedisConnection;
}> {
  const [connection, other] = [
    (await connectRedis(redis().url)).redis,
    (await connectRedis(redis().url)).redis,
  ];
  await connection.run(async (commands) => commands.flushall());
  return {
    connection,
    here: new SharedAnswers(connection, { viesUrl }),
    there: new SharedAnswers(other, { viesUrl }),
  };
}

async function onlyKey(connection: RedisConnection): Promise<string> {
  const all = await readAll(connection);
  expect(all).toHaveLength(1);
  return all[0]?.[0] ?? '';
}

describe.skipIf(!hasRedis)('an answer that a replica shares (contract C23)', () => {
  it('is found by another replica, with the rest of its lifetime', async () => {
    const { here, there } = await openPair();

    // The rest of a lifetime is no whole number.
    await here.keep(vatNumber, answer, hourMs - 0.5);
    const found = await there.find(vatNumber);

    expect(found?.answer).toEqual(answer);
    expect(found?.leftMs).toBeLessThanOrEqual(hourMs);
    expect(found?.leftMs).toBeGreaterThan(hourMs - 60_000);
  });

  it('gets older on the clock of Redis', async () => {
    const { here, there, connection } = await openPair();
    await here.keep(vatNumber, answer, hourMs);

    const key = await onlyKey(connection);
    await connection.run(async (commands) => commands.pexpire(key, 300_000));

    expect((await there.find(vatNumber))?.leftMs).toBeLessThanOrEqual(300_000);
  });

  it('is removed from Redis at the end of its lifetime', async () => {
    const { here, there, connection } = await openPair();

    await here.keep(vatNumber, answer, 0.5);

    await expect.poll(async () => there.find(vatNumber)).toBeUndefined();
    await expect.poll(async () => readAll(connection)).toEqual([]);
  });

  it('is replaced by a newer one', async () => {
    const { here, there } = await openPair();

    await here.keep(vatNumber, answer, hourMs);
    await there.keep(vatNumber, { ...answer, valid: false }, 300_000);

    const found = await here.find(vatNumber);
    expect(found?.answer.valid).toBe(false);
    expect(found?.leftMs).toBeLessThanOrEqual(300_000);
  });

  it.each<[string, Partial<Answer>]>([
    ['not on file', { valid: false, name: null, address: null }],
    ['in Greek', { name: 'ΕΠΙΝΟΗΜΕΝΟΣ ΦΟΥΡΝΟΣ ΑΕ', address: 'ΟΔΟΣ ΦΑΝΤΑΣΙΑΣ 1' }],
    ['in Bulgarian', { name: 'ИЗМИСЛЕНА ФУРНА ЕООД' }],
    ['with signs of JSON', { name: '"\\}{"\u0000\u2028', address: '\t\r\n' }],
    ['beyond the basic plane', { name: '𝔅äckerei 🥐' }],
    ['of half a pair', { name: '\ud83e' }],
  ])('is found unchanged if it is %s', async (_, differing) => {
    const { here, there } = await openPair();

    await here.keep(vatNumber, { ...answer, ...differing }, hourMs);

    expect((await there.find(vatNumber))?.answer).toEqual({ ...answer, ...differing });
  });

  it('is shared by both codes of Greece', async () => {
    const { here, there } = await openPair();

    await here.keep(numberOf('GR', '99-99 99.901'), answer, hourMs);

    expect((await there.find(numberOf('el', '999999901')))?.answer).toEqual(answer);
  });

  it.each([
    ['of another number', viesUrl, numberOf('AT', 'U99999902')],
    ['of another country', viesUrl, numberOf('BE', 'U99999901')],
    ['to another registry', 'https://vies.example/test', vatNumber],
  ])('is not found for a query %s', async (_, url, asked) => {
    const { here, connection } = await openPair();
    await here.keep(vatNumber, answer, hourMs);

    expect(await new SharedAnswers(connection, { viesUrl: url }).find(asked)).toBeUndefined();
  });
});

describe.skipIf(!hasRedis)('a value of Redis in the place of an answer', () => {
  const { name: _, ...nameless } = answer;

  it.each<[string, string]>([
    ['nothing', ''],
    ['half an answer', JSON.stringify(answer).slice(0, -1)],
    ['null', 'null'],
    ['a number', '1'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['an answer without a name', JSON.stringify(nameless)],
    ['an answer with the number of a name', JSON.stringify({ ...answer, name: 1 })],
    ['an answer with a list of addresses', JSON.stringify({ ...answer, address: [] })],
    ['an answer without a date', JSON.stringify({ ...answer, requestDate: null })],
    ['a verdict in words', JSON.stringify({ ...answer, valid: 'true' })],
  ])('is ignored if it is %s', async (_what, text) => {
    const { here, there, connection } = await openPair();
    await here.keep(vatNumber, answer, hourMs);

    const key = await onlyKey(connection);
    await connection.run(async (commands) => commands.set(key, text, 'KEEPTTL'));

    expect(await there.find(vatNumber)).toBeUndefined();
    expect(await there.claim(vatNumber, { waitMs: 0 })).toHaveProperty('release');
  });

  it('gives only the fields of an answer, whatever other fields it has', async () => {
    const { here, there, connection } = await openPair();
    await here.keep(vatNumber, answer, hourMs);

    const key = await onlyKey(connection);
    const text = JSON.stringify({ ...answer, other: 1 });
    await connection.run(async (commands) => commands.set(key, text, 'KEEPTTL'));

    expect((await there.find(vatNumber))?.answer).toEqual(answer);
  });

  it('is ignored if it never expires, or has another type', async () => {
    const { here, there, connection } = await openPair();
    await here.keep(vatNumber, answer, hourMs);
    const key = await onlyKey(connection);

    await connection.run(async (commands) => commands.persist(key));
    expect(await there.find(vatNumber)).toBeUndefined();

    await connection.run(async (commands) => commands.multi().del(key).rpush(key, 'x').exec());
    expect(await there.find(vatNumber)).toBeUndefined();
  });
});

describe.skipIf(!hasRedis)('while Redis does not answer', () => {
  it('no answer is found or kept, and the caller looks the number up itself', async () => {
    const { here, there } = await openPair();
    await here.keep(vatNumber, answer, hourMs);

    redis().pause();
    const during = [
      await there.find(vatNumber),
      await there.keep(vatNumber, answer, hourMs),
      await there.claim(vatNumber, { waitMs: 60_000 }).then(kindOf),
    ];
    redis().resume();

    expect(during).toEqual([undefined, undefined, 'no answer']);
    await vi.waitFor(
      async () => expect((await there.find(vatNumber))?.answer).toEqual(answer),
      10_000,
    );
  });

  it('no answer is found after Redis was killed, until a replica shares one again', async () => {
    const { here, there } = await openPair();
    await here.keep(vatNumber, answer, hourMs);

    await redis().kill();
    expect(await there.find(vatNumber)).toBeUndefined();
    await redis().restart();

    await vi.waitFor(async () => {
      await here.keep(vatNumber, answer, hourMs);
      expect((await there.find(vatNumber))?.answer).toEqual(answer);
    }, 10_000);
  });
});

function kindOf(claimed: Awaited<ReturnType<SharedAnswers['claim']>>): string {
  return claimed !== undefined && 'answer' in claimed ? 'an answer' : 'no answer';
}
