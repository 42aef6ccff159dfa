import { describe, expect, it } from 'vitest';
import { connectRedis, hasRedis, shareRedis } from '../../../test/support/open-redis.ts';
import { readAll } from '../../../test/vat-check/support/redis-entries.ts';
import { numberOf } from '../../../test/vat-check/support/vat-numbers.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import type { Answer } from '../registries/outcome.ts';
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
  it('is found unchanged, whatever its texts', async () => {
    const { here, there } = await openPair();
    const texts = [
      'ΕΠΙΝΟΗΜΕΝΟΣ ΦΟΥΡΝΟΣ ΑΕ',
      '"\\}{"\u0000\u2028',
      '\t\r\n',
      '𝔅äckerei 🥐',
      '\ud83e',
      null,
    ];

    for (const name of texts) {
      const differing = { ...answer, valid: name !== null, name, address: name };
      await here.keep(vatNumber, differing, hourMs);
      expect((await there.find(vatNumber))?.answer).toEqual(differing);
    }
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

  it.each([
    '',
    JSON.stringify(answer).slice(0, -1),
    'null',
    '[]',
    ...[nameless, { ...answer, address: [] }, { ...answer, valid: 'true' }].map((one) =>
      JSON.stringify(one),
    ),
  ])('is ignored if it is %s', async (text) => {
    const { here, there, connection } = await openPair();
    await here.keep(vatNumber, answer, hourMs);

    const key = await onlyKey(connection);
    await connection.run(async (commands) => commands.set(key, text, 'KEEPTTL'));

    expect(await there.find(vatNumber)).toBeUndefined();
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
