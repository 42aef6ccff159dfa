import { describe, expect, it } from 'vitest';
import type { VatfxClient } from '../../client/src/index.ts';
import { errorOf } from './support/client-of.ts';
import { type Scripted, startScripted } from './support/scripted-service.ts';

/** A page with events of these numbers; its cursor is that of the last one. */
function pageOf(...numbers: readonly number[]): Scripted {
  const events = numbers.map((number) => ({
    id: `evt_${number}`,
    cursor: `c${number}`,
    type: 'rates.changed',
  }));
  const nextCursor = `c${numbers.at(-1)}`;
  return { body: JSON.stringify({ events, nextCursor, hasMore: true }) };
}

/** The errors of a service that is about to answer again; their `Retry-After` makes the tests fast. */
const soon = { headers: { 'retry-after': '0' } };
const passing: readonly [what: string, answer: Scripted][] = [
  ['429 RATE_LIMITED', { ...soon, status: 429, body: '{"error":"RATE_LIMITED"}' }],
  ['500', { ...soon, status: 500, body: '{"error":"internal error"}' }],
  ['503', { ...soon, status: 503, body: '{"error":"temporarily unavailable"}' }],
  ['502 of a proxy', { ...soon, status: 502, body: '<html>' }],
  ['a connection that breaks', { fault: 'reset' }],
];

const lasting: readonly [what: string, answer: Scripted, name: string][] = [
  ['401', { status: 401, body: '{"error":"INVALID_KEY"}' }, 'InvalidKeyError'],
  ['429 QUOTA_EXCEEDED', { status: 429, body: '{"error":"QUOTA_EXCEEDED"}' }, 'QuotaExceededError'],
  ['410', { status: 410, body: '{"error":"cursor expired"}' }, 'CursorExpiredError'],
  ['200 of a proxy', { status: 200, body: '<html>' }, 'UnexpectedAnswerError'],
];

async function takeIds(client: VatfxClient, count: number, onRetry = () => {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of client.events({ after: 'c0', waitSeconds: 1, onRetry })) {
    ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

describe('events after an error (rule E7)', () => {
  it.each(passing)('continue at the last cursor after %s', async (_what, answer) => {
    // Without Retry-After the delays grow.
    const failures = answer.headers === undefined ? 1 : 4;
    const answers = [pageOf(1, 2), ...Array<Scripted>(failures).fill(answer), pageOf(3)];
    const { client, arrived } = await startScripted(answers, { retry: { attempts: 1 } });
    let retries = 0;

    const ids = await takeIds(client, 3, () => (retries += 1));

    expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3']);
    const cursors = arrived.map(({ url }) => /after=(\w+)&waitSeconds=1/.exec(url ?? '')?.[1]);
    expect(cursors).toEqual(['c0', ...Array<string>(failures + 1).fill('c2')]);
    expect(retries).toBe(failures);
  });

  it.each(lasting)('end with the error after %s', async (_what, answer, name) => {
    const { client, arrived } = await startScripted([pageOf(1), answer]);

    expect(await errorOf(takeIds(client, 2))).toMatchObject({ name });
    expect(arrived).toHaveLength(2);
  });

  it('continue after the time in Retry-After, however long it is for one call', async () => {
    const limited = { status: 429, body: '{"error":"RATE_LIMITED"}' };
    const { client, arrived } = await startScripted(
      [{ ...limited, headers: { 'retry-after': '1' } }, pageOf(1)],
      { timeoutMs: 100 },
    );

    await takeIds(client, 1);

    const [first, second] = arrived.map(({ atMs }) => atMs);
    // Timers of Node may be a millisecond early.
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('end during the wait if they are aborted', async () => {
    const down = { status: 503, headers: { 'retry-after': '3600' }, body: '{"error":"down"}' };
    const { client, arrived } = await startScripted([down]);
    const stopping = new AbortController();
    const delays: number[] = [];

    const onRetry = (_error: Error, delayMs: number): void => {
      delays.push(delayMs);
      setImmediate(() => stopping.abort());
    };
    for await (const event of client.events({ onRetry, signal: stopping.signal })) {
      expect(event).toBe('none');
    }

    expect(delays).toEqual([3_600_000]);
    expect(arrived).toHaveLength(1);
  });
});

describe('a page that is empty although the request may wait', () => {
  it('is followed by the next request after a pause, because the service may be about to stop', async () => {
    const empty = { body: '{"events":[],"nextCursor":"c0","hasMore":false}' };
    const { client, arrived } = await startScripted([empty, pageOf(1)]);

    await takeIds(client, 1);

    const [first, second] = arrived.map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(500);
  });
});

describe('the cursor of a 410', () => {
  it.each([
    ['</events?after=AbC-_1>; rel="first"', 'AbC-_1'],
    ['</vat/events?type=vat.checked&after=c1>; rel="first"', 'c1'],
    ['</events?after=c1>; rel="next"', undefined],
    [undefined, undefined],
  ])('is read from the header Link: %s', async (link, firstCursor) => {
    const headers = link === undefined ? {} : { link };
    const { client } = await startScripted([
      { status: 410, headers, body: '{"error":"cursor expired"}' },
    ]);

    expect(await errorOf(client.eventPage({ after: 'c0' }))).toMatchObject({
      name: 'CursorExpiredError',
      firstCursor,
    });
  });
});
