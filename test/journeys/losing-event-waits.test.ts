import { describe, expect, it } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import { announceFor, readPage, subjectsOf } from '../api/support/event-log.ts';
import { eventually } from '../support/eventually.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { hasEngines, makeSchema, shareEngines } from './support/shared-engines.ts';

const engines = shareEngines();

async function untilOneWaits(service: TestService): Promise<void> {
  await eventually(async () =>
    (await service.sendToOps('/status')).text.includes('"waitingReaders":1,'),
  );
}

describe.skipIf(!hasEngines)('PostgreSQL that is lost while a request waits for an event', () => {
  it('answers 503, and later waits get the events that were announced since', async () => {
    const databaseUrl = makeSchema(engines().postgresql);
    const service = await startService({ config: { databaseUrl, secretKey: '5e'.repeat(32) } });
    const caller = await addCaller(service);
    const { nextCursor } = await readPage(caller);
    const path = `/events?after=${nextCursor}&waitSeconds=30`;
    const lost = caller.get(path);
    await untilOneWaits(service);

    await engines().postgresql.kill();
    const { status, text } = await lost;
    await engines().postgresql.restart();
    await eventually(async () => (await caller.get('/events')).status === 200);
    const waiting = readPage(caller, path.slice('/events?'.length));
    await untilOneWaits(service);
    const subject = await announceFor(service.core.db, caller.id);

    expect([status, text]).toEqual([503, '{"error":"temporarily unavailable"}']);
    expect(subjectsOf(await waiting)).toEqual([subject]);
  });
});
