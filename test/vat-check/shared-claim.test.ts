import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/vat-check/outcome.ts';
import { type Flight, SharedAnswers } from '../../src/vat-check/shared-answers.ts';
import { connectTo, hasRedis, readAll, shareRedis } from './support/shared-redis.ts';
import { numberOf } from './support/vat-numbers.ts';

const viesUrl = 'https://vies.example/checkVatService';
const vatNumber = numberOf('AT', 'U99999901');
const answer: Answer = { valid: true, requestDate: '2026-11-20+01:00', name: null, address: null };
/** Longer than any test may take: whoever waits so long waits for something. */
const longMs = 60_000;

const redis = shareRedis();

async function openTriple() {
  const connections = await Promise.all([1, 2, 3].map(async () => connectTo(redis().url)));
  const [connection, second, third] = connections as [
    (typeof connections)[0],
    (typeof connections)[0],
    (typeof connections)[0],
  ];
  await connection.run(async (commands) => commands.flushall());
  const [here, there, elsewhere] = [
    new SharedAnswers(connection, { viesUrl }),
    new SharedAnswers(second, { viesUrl }),
    new SharedAnswers(third, { viesUrl }),
  ];
  return { connection, here, there, elsewhere };
}

function waiting(waitMs: number) {
  return { flightMs: 1_000, waitMs };
}

type Begun = Awaited<ReturnType<SharedAnswers['begin']>>;

function isFlight(begun: Begun): begun is Flight {
  return begun !== undefined && 'land' in begun;
}

async function beginOwn(replica: SharedAnswers, of = vatNumber): Promise<Flight> {
  const begun = await replica.begin(of, waiting(0));
  if (!isFlight(begun)) throw new Error('no flight was begun');
  return begun;
}

describe.skipIf(!hasRedis)('a flight (contract C24)', () => {
  it('is begun by one of many', async () => {
    const { here, there, elsewhere } = await openTriple();

    const begun = await Promise.all(
      Array.from({ length: 30 }, async (_, at) =>
        [here, there, elsewhere][at % 3]?.begin(vatNumber, waiting(0)),
      ),
    );

    expect(begun.filter((one) => isFlight(one))).toHaveLength(1);
    expect(begun.filter((one) => one === undefined)).toHaveLength(29);
  });

  it('brings its answer to all who wait for it, with what is left of its lifetime', async () => {
    const { here, there, elsewhere } = await openTriple();
    const flight = await beginOwn(here);

    const others = [there, elsewhere].map(async (one) => one.begin(vatNumber, waiting(longMs)));
    await here.keep(vatNumber, answer, 300_000);
    await flight.land();

    for (const begun of await Promise.all(others)) {
      expect(begun).toMatchObject({ answer });
      expect(begun).toHaveProperty(
        'leftMs',
        expect.toSatisfy((leftMs) => leftMs <= 300_000),
      );
    }
  });

  it('is another’s when it has landed without an answer, one at a time', async () => {
    const { here, there, elsewhere } = await openTriple();
    const flight = await beginOwn(here);
    const second = there.begin(vatNumber, waiting(longMs));
    const third = elsewhere.begin(vatNumber, waiting(longMs));

    await flight.land();

    const next = await Promise.race([second, third]);
    expect(next).toHaveProperty('land');
    expect(await here.begin(vatNumber, waiting(0))).toBeUndefined();
    await (next as Flight).land();
    for (const begun of await Promise.all([second, third])) expect(begun).toHaveProperty('land');
  });

  it('is not waited for when the time is up', async () => {
    const { here, there } = await openTriple();
    await beginOwn(here);

    expect(await there.begin(vatNumber, waiting(60))).toBeUndefined();
  });

  it('is another’s soon after its replica was killed', async () => {
    const { here, there, connection } = await openTriple();
    await beginOwn(here);

    connection.stop();

    expect(await there.begin(vatNumber, waiting(longMs))).toHaveProperty('land');
  });

  it('goes on as long as its replica lives', async () => {
    const { here, there } = await openTriple();
    await beginOwn(here);

    expect(await there.begin(vatNumber, waiting(3_000))).toBeUndefined();
  });

  it('does not end another’s when it lands late', async () => {
    const { here, there, elsewhere, connection } = await openTriple();
    const late = await beginOwn(here);
    await connection.run(async (commands) => commands.flushall());
    await beginOwn(there);

    await late.land();

    expect(await elsewhere.begin(vatNumber, waiting(0))).toBeUndefined();
  });

  it('is not begun where the answer is, and leaves nothing behind', async () => {
    const { here, there, connection } = await openTriple();
    await here.keep(vatNumber, answer, 300_000);

    expect(await there.begin(vatNumber, waiting(longMs))).toMatchObject({ answer });

    expect(await readAll(connection)).toEqual([
      [expect.stringMatching(/:answer:/), JSON.stringify(answer)],
    ]);
  });

  it('leaves nothing behind when it has landed', async () => {
    const { here, connection } = await openTriple();
    const flight = await beginOwn(here);
    expect(await readAll(connection)).toHaveLength(1);

    await flight.land();

    expect(await readAll(connection)).toEqual([]);
  });

  it('is one for Greece by both of its codes', async () => {
    const { here, there } = await openTriple();
    await beginOwn(here, numberOf('GR', '999999901'));

    expect(await there.begin(numberOf('EL', '999999901'), waiting(0))).toBeUndefined();
  });

  it('is one per number, and per registry', async () => {
    const { here, there, connection } = await openTriple();
    await beginOwn(here);

    const atTrial = new SharedAnswers(connection, { viesUrl: 'https://vies.example/test' });

    expect(await beginOwn(there, numberOf('AT', 'U99999902'))).toHaveProperty('land');
    expect(await beginOwn(atTrial)).toHaveProperty('land');
  });

  it('is ended even when Redis answered its beginning too late', async () => {
    const { here, there, connection } = await openTriple();

    redis().pause();
    const begun = await here.begin(vatNumber, waiting(longMs));
    redis().resume();
    await expect.poll(async () => readAll(connection)).toHaveLength(1);
    if (isFlight(begun)) await begun.land();

    expect(await there.begin(vatNumber, waiting(0))).toHaveProperty('land');
  });
});
