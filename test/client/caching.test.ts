import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { shareService } from '../support/start-service.ts';
import { answeredBy, clientOf, errorOf } from './support/client-of.ts';
import {
  isFine,
  type Scripted,
  skipTimeouts,
  someFx,
  startScripted,
} from './support/scripted-service.ts';

const lived = ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'];
const etag = '"a"';
const down: Scripted = { status: 503 };

/** A good answer with a `Cache-Control` and an ETag. */
function fine(policy: string, headers: Readonly<Record<string, string>> = {}): Scripted {
  return { ...isFine, headers: { 'cache-control': policy, etag, ...headers } };
}

const notModified = { status: 304, headers: { 'cache-control': 'max-age=60', etag } };

describe('the Link of a cached answer (rule X2)', () => {
  it('stays after a 304 without it', async () => {
    const link = '</rates/errata?date=2020-09-15>; rel="describedby"';
    const rates = { ...fine('max-age=60', { link }), body: '{"version":"2020-09-15","rates":{}}' };
    const errata = { ...fine('max-age=60'), body: '{"errata":[{"law":16}],"count":1}' };
    const { client } = await startScripted([rates, errata, notModified]);
    await client.rates('2020-09-15');

    const { errata: known } = await client.rates('2020-09-15', { fresh: true });

    expect(known).toEqual([{ law: '16' }]);
  });
});

describe('a cached answer (contract C9)', () => {
  const service = shareService({ lived });

  it('is returned without a request while it is fresh, and revalidated by a `fresh` call', async () => {
    const before = answeredBy(service()).length;
    const client = clientOf(service());
    const ofRates = ['/rates', '/rates/errata', '/rates/:date', '/rates/errata'];
    const paths = [...ofRates, '/changes', '/changes/:date', '/fx', '/fx/:date'];
    const readAll = async (fresh: boolean) => [
      await client.rates(undefined, { fresh }),
      await client.rates('2026-11-19', { fresh }),
      await client.changes({}, { fresh }),
      await client.changesOn('2026-11-20', { fresh }),
      await client.fx(undefined, { fresh }),
      await client.fx('2026-11-19', { fresh }),
    ];

    const first = await readAll(false);
    expect(await readAll(false)).toEqual(first);
    expect(await readAll(true)).toEqual(first);

    expect(answeredBy(service()).slice(before)).toEqual(
      [200, 304].flatMap((status) => paths.map((path) => `${status} ${path}`)),
    );
  });

  it('is never an error or an answer about the key', async () => {
    const before = answeredBy(service()).length;
    const client = clientOf(service());

    for (const _ of [1, 2]) {
      await client.usage();
      await client.webhooks.list();
      await errorOf(client.fx('2026-11-15'));
    }

    const answered = ['200 /usage', '200 /webhooks', '404 /fx/:date'];
    expect(answeredBy(service()).slice(before)).toEqual([...answered, ...answered]);
  });
});

describe('freshness (RFC 9111)', () => {
  it.each([
    ['max-age', fine('public, max-age=60'), 1],
    ['max-age and immutable', fine('public, max-age=31536000, immutable'), 1],
    ['max-age that is used up by Age', fine('max-age=60', { age: '60' }), 2],
    ['max-age that is not used up by Age', fine('max-age=60', { age: '30' }), 1],
    ['max-age=0', fine('max-age=0'), 2],
    ['no-cache', fine('no-cache, max-age=60'), 2],
    ['no Cache-Control', { ...isFine, headers: { etag } }, 2],
    ['s-maxage, which is for shared caches', fine('s-maxage=60'), 2],
  ])('follows the headers: %s', async (_what, answer, requests) => {
    const { client, arrived } = await startScripted([answer, notModified]);

    const first = await client.fx();
    const second = await client.fx();

    expect(second).toEqual(first);
    expect(arrived).toHaveLength(requests);
    expect(arrived[1]?.headers['if-none-match']).toBe(requests === 2 ? etag : undefined);
  });

  it.each([
    ['59 s later', 59, 1],
    ['60 s later', 60, 2],
    ['after the clock was set back', -1, 2],
  ])('ends after a max-age of 60 s: %s', async (_what, seconds, requests) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { client, arrived } = await startScripted([fine('max-age=60')]);
    await client.fx();

    vi.setSystemTime(Date.now() + seconds * 1_000);
    await client.fx();

    expect(arrived).toHaveLength(requests);
  });

  it.each<[string, Scripted[], (string | undefined)[]]>([
    ['starts again after a 304', [fine('max-age=0'), notModified], [undefined, etag]],
    ['ends with no-store', [fine('max-age=0'), fine('no-store')], [undefined, etag, undefined]],
    ['is zero without Cache-Control and ETag', [isFine], [undefined, undefined, undefined]],
  ])('%s', async (_what, answers, tags) => {
    const { client, arrived } = await startScripted(answers);

    for (const _ of [1, 2, 3]) await client.fx();

    expect(arrived.map(({ headers }) => headers['if-none-match'])).toEqual(tags);
  });
});

describe('the cache', () => {
  const policy = fine('max-age=60');

  it.each([
    [{ maxEntries: 2 }, '18 19 18 20 18 20 19', '18 19 20 19'],
    [{ maxChars: someFx.length * 2 }, '18 19 20 20 19 18', '18 19 20 18'],
  ])('removes the least recently used answers with %j', async (cache, days, requests) => {
    const { client, arrived } = await startScripted([policy], { cache });

    for (const day of days.split(' ')) await client.fx(`2026-11-${day}`);

    expect(arrived.map(({ url }) => url?.slice(-2)).join(' ')).toBe(requests);
  });

  it('is emptied by clearCache', async () => {
    const { client, arrived } = await startScripted([policy]);

    await client.fx();
    client.clearCache();
    await client.fx();

    expect(arrived.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
  });
});

describe('a cached answer during an outage of the service', () => {
  const retry = { attempts: 1 };
  const cache = { staleIfErrorSeconds: 60 };

  it.each<[what: string, answer: Scripted]>([
    ['503', down],
    ['a broken connection', { fault: 'reset' }],
    ['no answer in time', { fault: 'hang' }],
  ])('is returned for staleIfErrorSeconds: %s', async (_what, answer) => {
    skipTimeouts();
    const { client, arrived } = await startScripted([fine('max-age=0'), answer], { retry, cache });
    const first = await client.fx();

    expect(await client.fx()).toEqual(first);
    expect(arrived).toHaveLength(2);
  });

  it.each([401, 404, 400])('is not returned instead of a %i', async (status) => {
    const { client } = await startScripted([fine('max-age=0'), { status }], { cache });
    await client.fx();

    expect(await errorOf(client.fx())).toMatchObject({ status });
  });

  it('is not returned after staleIfErrorSeconds', async () => {
    const { client } = await startScripted([fine('max-age=0'), down], { retry, cache });
    await client.fx();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());

    expect(await errorOf(client.fx())).toMatchObject({ status: 503 });
  });
});
