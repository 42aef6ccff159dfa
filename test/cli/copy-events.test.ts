import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEventRetention } from '../../src/events/log/retention.ts';
import { addCaller } from '../api/support/caller.ts';
import { announceFor, readPage } from '../api/support/event-log.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { createEmptyTarget, openSource, runCopy } from './support/copy-world.ts';
import { movedTo, oldestOf, readLog, subjectsAfter } from './support/log-cursors.ts';
import { trusted } from '../support/clock-guard.ts';

const inAYear = { now: () => Date.parse('2027-11-20T16:00:00Z') };

describe.skipIf(!isPostgresql)('the event log after copy --to (rule E5)', () => {
  it('continues at cursors from before the copy, with the deleted beginning and later positions for new events', async () => {
    const { file, url } = await openSource();
    const embedded = await startService({ config: { databaseUrl: url, secretKey: '' } });
    const { db } = embedded.core;
    const reader = await addCaller(embedded);
    const { nextCursor: expired } = await readPage(reader);
    await announceFor(db, reader.id);
    await createEventRetention({ db, clock: inAYear, clockGuard: trusted, retentionDays: 90 })();
    const { subjects, cursor } = await readLog(embedded, reader);
    const { nextCursor: end } = await readPage(reader);
    const secretKey = readFileSync(`${file}.secret-key`, 'utf8').trim();
    await embedded.stop();

    const target = createEmptyTarget();
    expect((await runCopy(url, target)).code).toBe(0);
    const moved = await startService({ config: { databaseUrl: target, secretKey } });
    const caller = movedTo(moved, reader);
    const all = [...subjects, await announceFor(moved.core.db, caller.id)];

    expect(await subjectsAfter(caller, cursor)).toEqual(all.slice(1));
    expect(await subjectsAfter(caller, end)).toEqual(all.slice(2));
    const refused = await caller.get(`/events?after=${expired}`);
    expect([refused.status, refused.text]).toEqual([410, '{"error":"cursor expired"}']);
    expect(await subjectsAfter(caller, oldestOf(refused))).toEqual(all);
  });
});
