import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/access/authentication/key-changes.ts';
import { eventually } from '../support/eventually.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';
import { addCaller } from './support/caller.ts';
import { announceFor, readPage, subjectsOf } from './support/event-log.ts';

/** The number of requests that wait for an event. */
async function countWaiting(service: TestService): Promise<number> {
  const { text } = await service.sendToOps('/status');
  return (JSON.parse(text) as { readonly events: { readonly waitingReaders: number } }).events
    .waitingReaders;
}

describe('waitSeconds of GET /events (rule E4)', () => {
  const service = shareService();

  it('returns each event once to the requests whose key sees it, and an empty page at the end of the wait', async () => {
    const [one, other] = [await addCaller(service()), await addCaller(service())];
    const { nextCursor } = await readPage(one, 'after=now');
    const waiting = Promise.all([
      readPage(one, `after=${nextCursor}&waitSeconds=30`),
      readPage(one, `after=${nextCursor}&waitSeconds=30`),
      readPage(other, `after=${nextCursor}&waitSeconds=1`),
    ]);
    await eventually(async () => (await countWaiting(service())) === 3);
    const subject = await announceFor(service().core.db, one.id);

    const pages = await waiting;

    expect(pages.map(subjectsOf)).toEqual([[subject], [subject], []]);
    expect((await readPage(one, `after=${pages[0]?.nextCursor}`)).events).toEqual([]);
    expect(subjectsOf(await readPage(one, `after=${pages[2]?.nextCursor}`))).toEqual([subject]);
  });

  it('is answered with 401 when the key is revoked during the wait', async () => {
    const caller = await addCaller(service());
    const waiting = caller.get('/events?waitSeconds=30');
    await eventually(async () => (await countWaiting(service())) === 1);

    await revokeKey(service().core.db, caller.id, {
      at: '2026-11-20T16:00:00.000Z',
    });

    const { status, text } = await waiting;
    expect([status, text]).toEqual([401, '{"error":"INVALID_KEY"}']);
  });

  it('ends when the caller disconnects', async () => {
    const caller = await addCaller(service());
    const leaving = new AbortController();
    const waiting = fetch(`${service().apiUrl}/events?waitSeconds=30`, {
      headers: { authorization: `Bearer ${caller.key}` },
      signal: leaving.signal,
    });
    await eventually(async () => (await countWaiting(service())) === 1);

    leaving.abort();

    await expect(waiting).rejects.toThrow('aborted');
    await eventually(async () => (await countWaiting(service())) === 0);
  });

  it('is answered with an empty page when the process stops', async () => {
    const stopping = await startService();
    const caller = await addCaller(stopping);
    // With a connection of its own, because a stop of the test service ends those of its callers.
    const waiting = fetch(`${stopping.apiUrl}/events?waitSeconds=30`, {
      headers: { authorization: `Bearer ${caller.key}` },
    });
    await eventually(async () => (await countWaiting(stopping)) === 1);

    await stopping.stop();

    expect(await (await waiting).json()).toMatchObject({ events: [], hasMore: false });
  });
});
