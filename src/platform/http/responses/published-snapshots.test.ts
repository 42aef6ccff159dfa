import { describe, expect, it } from 'vitest';
import { responseOf } from '../../../../test/support/prepared-response.ts';
import { isoDate, type IsoDate } from '../../time/time.ts';
import { ResponseCache } from './response-cache.ts';
import { PublishedSnapshots } from './published-snapshots.ts';

/** Snapshots over a store that the test fills; `latest` is the date that the store returns as its latest. */
function openPublished() {
  const store = new Map<string, string>();
  const state = { latest: undefined as IsoDate | undefined, withdrawals: 0 };
  const cache = new ResponseCache();
  const published = new PublishedSnapshots(
    {
      countWithdrawals: async () => Promise.resolve(state.withdrawals),
      findLatest: async () => {
        const { latest } = state;
        return Promise.resolve(
          latest === undefined ? undefined : { date: latest, body: store.get(latest) ?? '' },
        );
      },
      findBody: async (date) => Promise.resolve(store.get(date)),
    },
    cache,
  );
  const publish = async (date: string, body: string): Promise<void> => {
    store.set(date, body);
    state.latest = isoDate(date);
    await published.refresh();
  };
  const find = async (date: string): Promise<string | undefined> =>
    (await published.find(isoDate(date)))?.body.toString();
  return { published, cache, state, publish, find };
}

describe('PublishedSnapshots', () => {
  it('has the newest snapshot in memory, and finds others by date', async () => {
    const { published, publish, find } = openPublished();
    await publish('2026-11-20', 'today');

    expect(published.newestDate).toBe('2026-11-20');
    expect(published.latest?.representation.body.toString()).toBe('today');
    expect(await find('2026-11-20')).toBe('today');
    expect(await find('2026-11-21')).toBeUndefined();
  });

  it('finds a date after its publication, even if it was not found before', async () => {
    const { publish, find } = openPublished();
    expect(await find('2026-11-20')).toBeUndefined();

    await publish('2026-11-20', 'today');

    expect(await find('2026-11-20')).toBe('today');
  });

  it('goes back once after a withdrawal, also to nothing (contract C17a)', async () => {
    const { published, state, publish } = openPublished();
    await publish('2026-11-19', 'yesterday');
    await publish('2027-11-20', 'later than today');
    state.withdrawals += 1;

    await publish('2026-11-19', 'yesterday');
    expect(published.newestDate).toBe('2026-11-19');
    await publish('2026-11-18', 'older');
    expect(published.newestDate).toBe('2026-11-19');
    state.withdrawals += 1;
    state.latest = undefined;
    await published.refresh();

    expect(published.latest).toBeUndefined();
  });

  it('never goes back to an older snapshot, even if its database lags behind', async () => {
    const { published, state, publish } = openPublished();
    await publish('2026-11-19', 'yesterday');
    await publish('2026-11-20', 'today');

    state.latest = isoDate('2026-11-19');
    await published.refresh();
    state.latest = undefined;
    await published.refresh();

    expect(published.newestDate).toBe('2026-11-20');
  });

  it('goes back with a database that went back to an earlier state (rule E8)', async () => {
    const { published, state, publish } = openPublished();
    await publish('2026-11-19', 'yesterday');
    await publish('2026-11-20', 'today');

    state.latest = isoDate('2026-11-19');
    await published.refresh({ hasGoneBack: true });

    expect(published.newestDate).toBe('2026-11-19');
  });

  it('clears the response cache when it reads a publication', async () => {
    const { cache, published, publish } = openPublished();
    const { generation } = cache;
    const publishing = publish('2026-11-20', 'today');
    cache.store(generation, '/list', responseOf('old'));
    expect(cache.find('/list')).toBeDefined();

    await publishing;

    expect(published.newestDate).toBe('2026-11-20');
    expect(cache.find('/list')).toBeUndefined();
    cache.store(generation, '/list', responseOf('old'));
    expect(cache.find('/list')).toBeUndefined();
  });
});
