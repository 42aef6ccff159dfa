import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { addCaller } from '../api/support/caller.ts';
import { announceFor, readPage } from '../api/support/event-log.ts';
import { runForJson } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { oldestOf, readLog, subjectsAfter } from './support/log-cursors.ts';

describe.skipIf(isPostgresql)('the event log after restore FILE (rule E5)', () => {
  it('continues at cursors from before the backup, and answers 410 for later ones, also when new events have their positions', async () => {
    const service = await startService({ config: { secretKey: '' } });
    const env = { DATABASE_URL: service.config.databaseUrl };
    const { caller, subjects, cursor } = await readLog(service, await addCaller(service));
    const backup = join(temporaryFolder(), 'copy.db');
    await runForJson(['backup', backup], env);
    await announceFor(service.core.db, caller.id);
    const { nextCursor: later } = await readPage(caller);
    await service.stop();

    await runForJson(['restore', backup], env);
    // As a command does that publishes before the first start.
    const early = await openDatabase(env.DATABASE_URL);
    const all = [...subjects, await announceFor(early, caller.id)];
    await early.destroy();
    await service.start();
    all.push(await announceFor(service.core.db, caller.id));

    expect(await subjectsAfter(caller, cursor)).toEqual(all.slice(1));
    const refused = await caller.get(`/events?after=${later}`);
    expect([refused.status, refused.text]).toEqual([410, '{"error":"cursor expired"}']);
    expect(await subjectsAfter(caller, oldestOf(refused))).toEqual(all);
  });
});
