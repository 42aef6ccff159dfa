import { describe, expect, it } from 'vitest';
import { responseOf, cachedUnder } from '../../../../test/support/prepared-response.ts';
import { ResponseCache } from './response-cache.ts';
import { PublishedSnapshots } from './published-snapshots.ts';

/** Snapshots over a store that a test fills; `latest` is what the store says is the newest. */
function openPublished() {
  const store = new Map<string, string>();
  const state = { latest: undefined as string | undefined, isLater: false };
  const cache = new ResponseCache();
  const published = new PublishedSnapshots<string>(
    {
      findLatest: async () => {
        const { latest } = state;
        return Promise.resolve(
          latest === undefined ? undefined : { date: latest, body: store.get(latest) ?? '' },
        );
      },
      findBody: (date) => (state.isLater ? Promise.resolve(store.get(date)) : store.get(date)),
    },
    cache,
  );
  const publish = async (date: string, body: string): Promise<void> => {
    store.set(date, body);
    state.latest = date;
    await published.refresh();
  };
  const find = async (date: string): Promise<string | undefined> =>
    (await published.find(date))?.body.toString();
  return { published, cache, state, publish, find };
}

describe('PublishedSnapshots', () => {
  it('has nothing before the first publication', async () => {
    const { published, find } = openPublished();

    await published.refresh();

    expect(published.latest).toBeUndefined();
    expect(published.newestDate).toBeUndefined();
    expect(await find('2026-11-20')).toBeUndefined();
  });

  it('has the newest in memory, and finds a date at once or later', async () => {
    const { published, state, publish, find } = openPublished();
    await publish('2026-11-20', 'today');

    expect(published.newestDate).toBe('2026-11-20');
    expect(published.latest?.representation.body.toString()).toBe('today');
    expect(await find('2026-11-20')).toBe('today');
    state.isLater = true;
    expect(await find('2026-11-20')).toBe('today');
    expect(await find('2026-11-21')).toBeUndefined();
  });

  it('shows a date as soon as it is published, also when it was asked for before', async () => {
    const { publish, find } = openPublished();
    expect(await find('2026-11-20')).toBeUndefined();

    await publish('2026-11-20', 'today');

    expect(await find('2026-11-20')).toBe('today');
  });

  it('shows a body that was corrected, also where it was remembered (contract C20)', async () => {
    const { published, publish, find } = openPublished();
    await publish('2026-11-20', 'wrong');
    expect(await find('2026-11-20')).toBe('wrong');

    await publish('2026-11-20', 'right');

    expect(await find('2026-11-20')).toBe('right');
    expect(published.latest?.representation.body.toString()).toBe('right');
  });

  it('never goes back, not even when its database lags behind', async () => {
    const { published, state, publish } = openPublished();
    await publish('2026-11-19', 'yesterday');
    await publish('2026-11-20', 'today');

    state.latest = '2026-11-19';
    await published.refresh();
    state.latest = undefined;
    await published.refresh();

    expect(published.newestDate).toBe('2026-11-20');
  });

  it('empties the response cache in the instant of a publication', async () => {
    const { cache, published, publish } = openPublished();
    const { generation } = cache;
    const publishing = publish('2026-11-20', 'today');
    cache.store(generation, cachedUnder('/list', responseOf('old')));
    expect(cache.find('/list')).toBeDefined();

    await publishing;

    expect(published.newestDate).toBe('2026-11-20');
    expect(cache.find('/list')).toBeUndefined();
    cache.store(generation, cachedUnder('/list', responseOf('old')));
    expect(cache.find('/list')).toBeUndefined();
  });
});
