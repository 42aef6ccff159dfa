import { describe, expect, it } from 'vitest';
import { countOf, reportFigure } from '../../../../test/support/proof.ts';
import { openTwice } from '../../../../test/support/stored-keys.ts';
import { storeKey } from '../../../../test/support/stored-webhooks.ts';
import {
  answered,
  type Query,
  StoredWorld,
} from '../../../../test/vat-check/support/stored-world.ts';
import type { RegistryCode } from '../../numbers/vat-number.ts';
import type { Failure, RegistryOutcome } from '../../registries/outcome.ts';

const [secondMs, minuteMs] = [1_000, 60_000];
const states = ['AT', 'BE', 'BG', 'CZ', 'DE', 'FR', 'IT', 'NL'] as const;
const operatorsNumber = { registryCode: 'NL', number: '854265259B01' } as const;

/** Pending checks of a key; `name` is the text that is sent with each. */
function checksOf(keyId: string, count: number, name?: string) {
  return Array.from({ length: count }, (_, n) => ({
    keyId,
    queried: { registryCode: states[n % 8] as RegistryCode, number: `${keyId}${n}` },
    trader: name === undefined ? {} : { name },
  }));
}

/** Workers of two replicas; their registry's firewall refuses texts with `<`. */
async function open(refusal: RegistryOutcome) {
  const [one, other] = await openTwice();
  const world = await StoredWorld.open(one);
  await storeKey(one, { id: 'key_b' });
  world.answer = (_, { trader }) => (trader.name?.includes('<') ? refusal : answered(true));
  const start = (requester?: typeof operatorsNumber) => {
    world.requester = requester;
    const workers = [one, other].map((db) => world.createWorker(db).worker);
    return async (minutes: number, stepMs = 2 * secondMs): Promise<void> => {
      for (const untilMs = world.nowMs + minutes * minuteMs; world.nowMs < untilMs;) {
        await world.followBlocks();
        await world.run(workers, 2.5 * stepMs, stepMs);
      }
    };
  };
  const rowsOf = async (keyId: string) =>
    one.selectFrom('vat_checks').selectAll().where('key_id', '=', keyId).execute();
  return { world, db: one, start, rowsOf };
}

function refusedWith(failure: Failure, retryAfterSeconds?: number): RegistryOutcome {
  const named = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { kind: 'failed', failure, ...named };
}

/** The smallest number of milliseconds between two of the service's own questions. */
function leastBetween(queries: readonly Query[]): number {
  const atMs = queries.filter(({ isOwn }) => isOwn).map((query) => query.atMs);
  return Math.min(...atMs.slice(1).map((at, n) => at - (atMs[n] ?? 0)));
}

describe('texts that a firewall before VIES refuses (rule K21a)', () => {
  const count = countOf({ full: 200, perCommit: 40 });

  it.each<[string, RegistryOutcome]>([
    ['HTTP 403', refusedWith('forbidden')],
    ['a page', refusedWith('webPage')],
    ['a page with a Retry-After of a day', refusedWith('webPage', 86_400)],
  ])('are refused with %s: only their own checks end, and no call waits', async (form, refusal) => {
    const { world, start, rowsOf } = await open(refusal);
    await world.create(
      ...checksOf('key_a', count, '<script>'),
      ...checksOf('key_b', count, 'B & Co'),
    );
    const live = start();

    await live(Math.ceil(count / 40), 200);
    const ofOther = await rowsOf('key_b');
    await live(25);

    const rows = await rowsOf('key_a');
    const own = world.queries.filter(({ isOwn }) => isOwn);
    reportFigure(
      'R35',
      `${form} to the texts of ${count} checks, 2 replicas: ${own.length} questions of the service's own in ` +
        `${Math.ceil(count / 40) + 25} minutes, 0 blocks, ${ofOther.length} checks of another key answered meanwhile`,
    );
    expect(world.logLines).toEqual([]);
    expect(new Set(ofOther.map(({ status }) => status))).toEqual(new Set(['answered']));
    expect(rows.map(({ status, refused, attempts }) => [status, refused, attempts])).toEqual(
      rows.map(() => ['rejected', 'number', 3]),
    );
    expect(new Set(rows.map(({ hint }) => hint))).toEqual(
      new Set(["the registry's firewall refuses the trader's text"]),
    );
    expect(leastBetween(world.queries)).toBeGreaterThanOrEqual(minuteMs);
    expect(own.every(({ trader }) => Object.keys(trader).length === 0)).toBe(true);
  });

  it('of two keys are judged by one question', async () => {
    const { world, start, rowsOf } = await open(refusedWith('forbidden'));
    await world.create(...checksOf('key_a', 8, '<a>'), ...checksOf('key_b', 8, '<b>'));

    await start()(0.5, 200);

    expect(world.queries.filter(({ isOwn }) => isOwn)).toHaveLength(1);
    const rows = [...(await rowsOf('key_a')), ...(await rowsOf('key_b'))];
    expect(rows.map((row) => [row.status, row.text_refusals])).toEqual(
      rows.map(() => ['pending', 1]),
    );
  });

  it('are asked again after their own time if the own question has no answer', async () => {
    const { world, start, rowsOf } = await open(refusedWith('forbidden'));
    const refuse = world.answer;
    world.answer = (number, query) =>
      Object.keys(query.trader).length === 0 ? { kind: 'timedOut' } : refuse(number, query);
    await world.create(...checksOf('key_a', 8, '<a>'));

    await start()(10);

    const rows = await rowsOf('key_a');
    expect(rows.map((row) => [row.status, row.text_refusals])).toEqual(
      rows.map(() => ['pending', 0]),
    );
    expect(leastBetween(world.queries)).toBeGreaterThanOrEqual(minuteMs);
    expect(world.logLines).toEqual([]);
  });

  it('with HTTP 429 are about the pace, and block at once', async () => {
    const { world, start } = await open(refusedWith('tooManyRequests'));
    await world.create(...checksOf('key_a', 40, '<a>'));

    await start()(0.5);

    expect(world.queries.filter(({ isOwn }) => isOwn)).toEqual([]);
    expect(world.queries.length).toBeLessThanOrEqual(2 * 3);
    expect(world.logLines).toEqual([expect.stringContaining('HTTP 429')]);
  });
});

describe('a real block while texts are sent (rule K21a)', () => {
  it.each<[string, string | undefined, typeof operatorsNumber | undefined]>([
    ['with texts', 'B & Co', undefined],
    ['with texts and VIES_REQUESTER', 'B & Co', operatorsNumber],
    ['without texts', undefined, undefined],
    ['without texts and with VIES_REQUESTER', undefined, operatorsNumber],
  ])(
    'is seen by 400 pending checks of one key %s: at most 60 calls in an hour',
    async (how, name, requester) => {
      const { world, start, rowsOf } = await open(answered(true));
      world.answer = () => refusedWith('forbidden');
      await world.create(...checksOf('key_a', 400, name));

      await start(requester)(60);

      reportFigure(
        'R35',
        `HTTP 403 to everything for an hour, 400 pending checks ${how}, 2 replicas: ${world.queries.length} calls, 0 rejected`,
      );
      expect(world.queries.length).toBeLessThanOrEqual(60);
      const rows = await rowsOf('key_a');
      expect(rows.every(({ status, text_refusals: n }) => status === 'pending' && n === 0)).toBe(
        true,
      );
      expect(world.logLines).toEqual([expect.stringContaining('HTTP 403')]);
      if (requester === undefined) return;
      const own = world.queries.filter(({ isOwn }) => isOwn);
      expect(own.map(({ registryCode, number }) => ({ registryCode, number }))).toEqual(
        own.map(() => requester),
      );
    },
  );
});
