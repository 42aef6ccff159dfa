import { describe, expect, it, onTestFinished } from 'vitest';
import { dataSetKinds } from '../../src/platform/data-set-kinds.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { snapshotPaths } from '../support/snapshot-paths.ts';
import { ReplicaSet } from './support/replica-set.ts';
import { get } from './support/serve-process.ts';
import { hasEngines, makeSchema, shareEngines } from './support/shared-engines.ts';
import { readFacts } from './support/stored-facts.ts';
import { WebhookCaller } from './support/webhook-caller.ts';
import { expectWithin } from '../support/proof.ts';

const engines = shareEngines();
const onlyAnswers = { JOBS: 'off', DELIVERY: 'off' };
/** Time after which all replicas serve a publication (contract C8). */
const promisedMs = 2_000;

describe.skipIf(!hasEngines)('a replica that only answers (operator.md, JOBS and DELIVERY)', () => {
  it('fetches nothing, and serves a publication of another replica within 2 s', async () => {
    const set = await ReplicaSet.make(engines());
    const { key } = await set.createKey();
    const answering = await set.serve(onlyAnswers);
    const rates = async (): Promise<number> => (await get(`${answering.apiUrl}/rates`, key)).status;
    const before = await rates();

    const working = await set.serve();
    let seenAtMs = 0;
    await eventually(async () => {
      seenAtMs = Date.now();
      return (await rates()) === 200;
    });
    const runs = await set.db.selectFrom('runs').selectAll().execute();

    const published = runs.find(({ job, outcome }) => job === 'rates' && outcome === 'published');
    const afterMs = seenAtMs - Date.parse(published?.ended_at ?? '');
    console.log(`C8: a publication was answered by another replica after ${afterMs} ms`);
    expect(before).toBe(404);
    expectWithin(afterMs, promisedMs);
    expect(answering.process.stdout).not.toContain('"job":');
    // Log lines are written in batches, a moment later.
    await expect.poll(() => working.process.stdout).toContain('"job":');
  });

  it('accepts subscriptions, and leaves their deliveries to another replica', async () => {
    const set = await ReplicaSet.make(engines(), { JOBS: 'off' });
    const { key } = await set.createKey();
    const answering = await set.serve(onlyAnswers);
    const caller = new WebhookCaller(answering, key);
    const { id } = await caller.subscribe(set.sandbox, 'shop');
    const shop = set.sandbox.receivers.named('shop');

    await caller.post(`/${id}/test`, {});
    // Longer than the pause of a process that delivers.
    const since = performance.now();
    await eventually(() => performance.now() - since > 1_500);
    const byItself = shop.received.length;
    await set.serve({ JOBS: 'off' });
    await eventually(async () => (await caller.listDeliveries(id))[0]?.status === 'succeeded');

    expect(byItself).toBe(0);
    expect(shop.received.map(({ verified }) => verified)).toEqual([true]);
  });
});

describe.skipIf(!hasEngines)('replicas that start at the same time (contract C31)', () => {
  it('on an empty PostgreSQL publish once, and load the history of exchange rates once', async () => {
    const set = await ReplicaSet.make(engines());
    const url = makeSchema(engines().postgresql);

    const servers = await Promise.all(
      Array.from({ length: 3 }, async () => set.serve({ DATABASE_URL: url })),
    );
    const db = await openDatabase(url);
    onTestFinished(async () => db.destroy());
    const key = await set.createKey(db);
    for (const { apiUrl } of servers) {
      for (const path of snapshotPaths) {
        await eventually(async () => (await get(`${apiUrl}${path}`, key.key)).status === 200);
      }
    }

    const runs = await db.selectFrom('runs').selectAll().execute();
    const facts = await readFacts(db);
    expect(facts.versions).toEqual([set.today]);
    expect(facts.events).toEqual([]);
    expect(facts.fxDates.length).toBe(new Set(facts.fxDates).size);
    expect(runs.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    for (const job of dataSetKinds) {
      const published = runs.filter((run) => run.job === job && run.outcome === 'published');
      expect(published.length).toBe(1);
    }
  }, 60_000);
});
