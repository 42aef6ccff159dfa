import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { readPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { addCaller } from '../api/support/caller.ts';
import { announceFor, readPage } from '../api/support/event-log.ts';
import { type Environment, runForJson } from '../support/run-cli.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { austrian, postCheck, requester } from '../vat-check/support/stored-checks-api.ts';
import { oldestOf, readLog, subjectsAfter } from './support/log-cursors.ts';

async function backUp(env: Environment): Promise<string> {
  const backup = join(temporaryFolder(), 'copy.db');
  await runForJson(['backup', backup], env);
  return backup;
}

/** The files of the exported evidence of a database, by name. */
async function exportFrom(env: Environment): Promise<Readonly<Record<string, Buffer>>> {
  const out = join(temporaryFolder(), 'evidence');
  await runForJson(['evidence', 'export', '--since', '2026-11-20', '--out', out], env);
  return Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name))]));
}

describe.skipIf(isPostgresql)('a service after restore FILE', () => {
  it('continues the event log at cursors from before the backup, and answers 410 for later ones, also when new events have their positions (rule E5)', async () => {
    const service = await startService({ config: { secretKey: '' } });
    const env = { DATABASE_URL: service.config.databaseUrl };
    const { caller, subjects, cursor } = await readLog(service, await addCaller(service));
    const backup = await backUp(env);
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

  it('has the evidence of checks, which holds with the keys that it published before (rule K16)', async () => {
    const service = await startService();
    const env = { DATABASE_URL: service.config.databaseUrl };
    await postCheck(service, { ...austrian, requester });
    await runForJson(['evidence', 'rotate'], env);
    await postCheck(service);
    const { text } = await service.sendRequest({ path: '/evidence/keys' });
    const published = readPublishedKeys(Buffer.from(text));
    const before = await exportFrom(env);
    const backup = await backUp(env);
    await service.stop();
    const restored = { DATABASE_URL: `file:${join(temporaryFolder(), 'vatfx.db')}` };

    await runForJson(['restore', backup], restored);

    const after = await exportFrom(restored);
    expect(after).toEqual(before);
    expect([published.length, Object.keys(after).length]).toEqual([2, 2]);
    for (const file of Object.values(after)) {
      expect((await verifyEvidence(file, published)).faults).toEqual([]);
    }
  });
});
