import { describe, expect, it } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import { announceFor, readPage } from '../api/support/event-log.ts';
import { oldestOf, readLog, subjectsAfter } from '../cli/support/log-cursors.ts';
import { startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { runDocumented } from './support/documented-commands.ts';
import { hasEngines, makeDatabaseIn, shareEngines } from './support/shared-engines.ts';

const engines = shareEngines();

describe.skipIf(!hasEngines)('the event log after pg_restore (rule E5, docs/upgrading.md)', () => {
  it('continues at cursors from before the dump, and answers 410 for later ones, also when new events have their positions', async () => {
    const databaseUrl = makeDatabaseIn(engines().postgresql);
    const service = await startService({ config: { databaseUrl, secretKey: '5e'.repeat(32) } });
    const folder = temporaryFolder();
    const { caller, subjects, cursor } = await readLog(service, await addCaller(service));
    runDocumented('pg_dump', folder, databaseUrl);
    await announceFor(service.core.db, caller.id);
    const { nextCursor: later } = await readPage(caller);
    await service.stop();

    runDocumented('psql', folder, databaseUrl);
    await service.start();
    const all = [...subjects];
    for (let n = 0; n < 2; n += 1) all.push(await announceFor(service.core.db, caller.id));

    expect(await subjectsAfter(caller, cursor)).toEqual(all.slice(1));
    const refused = await caller.get(`/events?after=${later}`);
    expect([refused.status, refused.text]).toEqual([410, '{"error":"cursor expired"}']);
    expect(await subjectsAfter(caller, oldestOf(refused))).toEqual(all);
  });
});
