import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ReplicaSet } from './support/replica-set.ts';
import { get } from './support/serve-process.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';
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
});
