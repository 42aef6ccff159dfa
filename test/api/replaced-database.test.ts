import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { revokeKey } from '../../src/access/authentication/key-changes.ts';
import { embeddedFileOf } from '../../src/platform/database/sqlite/embedded-file.ts';
import { oldestOf } from '../cli/support/log-cursors.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { addCaller } from './support/caller.ts';
import { announceFor, readPage, subjectsOf } from './support/event-log.ts';

/** Refuses new epochs. */
const refusal = `create trigger refuse before insert on event_log_epochs
  begin select raise(abort, 'not now'); end`;

it('an SQLite file that an earlier one replaces under a running server is read again, and readers get 503, then 410 (rule E8)', async () => {
  const service = await startService();
  const { db } = service.core;
  const [caller, other] = [await addCaller(service), await addCaller(service)];
  const left = [await announceFor(db, caller.id), await announceFor(db, caller.id)];
  const file = embeddedFileOf(service.config.databaseUrl) ?? '';
  const copy = join(temporaryFolder(), 'copy.db');
  using running = new DatabaseSync(file);
  await backup(running, copy);
  using earlier = new DatabaseSync(copy);
  earlier.exec(refusal);
  for (let n = 0; n < 3; n += 1) await announceFor(db, caller.id);
  const { nextCursor: lost } = await readPage(caller);
  await revokeKey(db, other.id, { at: '2026-11-20T16:00:00.000Z' });
  const read = async () => caller.get(`/events?after=${lost}`);
  await eventually(async () => (await other.get('/usage')).status === 401);

  await backup(earlier, file);
  await eventually(async () => (await read()).status === 503);
  const isReadAgain = (await other.get('/usage')).status === 200;
  running.exec('drop trigger refuse');
  await eventually(async () => (await read()).status === 410);

  const later = await announceFor(db, caller.id);
  const page = await readPage(caller, `after=${oldestOf(await read())}`);
  expect([isReadAgain, subjectsOf(page)]).toEqual([true, [...left, later]]);
  const { text } = await service.sendToOps('/status');
  expect(text).toContain(
    '"reason":"the database went back by at least 3 events: its file was replaced while a server was running"',
  );
});
