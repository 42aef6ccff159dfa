import { describe, expect, it } from 'vitest';
import {
  CursorExpiredError,
  type EventType,
  type LoggedEvent,
  type VatfxClient,
} from '../../client/src/index.ts';
import { addCaller } from '../api/support/caller.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { shareService, startService } from '../support/start-service.ts';
import { clientOf, errorOf } from './support/client-of.ts';

const austrian = { countryCode: 'AT', vatNumber: 'U99999901' };
const hungary = {
  script: (scenario) => changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20'),
  lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] as const,
} satisfies Parameters<typeof startService>[0];
const service = shareService(hungary);

/** The client of a new key. */
async function newClient(): Promise<VatfxClient> {
  const { key } = await addCaller(service(), { rateLimit: 'none', quota: 'none' });
  return clientOf(service(), { key });
}

/** The first events of a loop, which then ends by `break`. */
async function take<T extends EventType>(
  events: AsyncIterable<LoggedEvent<T>>,
  count: number,
): Promise<LoggedEvent<T>[]> {
  const taken: LoggedEvent<T>[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

describe('events (rule E7)', () => {
  it('yields public events and those of the key, oldest first, over several pages', async () => {
    const vatfx = await newClient();
    const first = await vatfx.checks.create(austrian);
    const second = await vatfx.checks.create({ ...austrian, reference: 'c 2' });
    // Of another key.
    await (await newClient()).checks.create(austrian);

    const events = await take(vatfx.events({ limit: 1 }), 3);

    expect(events.map(({ type }) => type)).toEqual(['rates.changed', 'vat.checked', 'vat.checked']);
    expect(events).toMatchObject([{ count: 1 }, { check: first }, { check: second }]);
    expect(Object.isFrozen(events[0])).toBe(true);
    expect(new Set(events.map(({ cursor }) => cursor)).size).toBe(3);
  });

  it('continues after the cursor of an event, and yields only the given types', async () => {
    const vatfx = await newClient();
    const check = await vatfx.checks.create(austrian);

    const [rates] = await take(vatfx.events(), 1);
    const [next] = await take(vatfx.events({ after: rates?.cursor }), 1);
    const [checked] = await take(vatfx.events({ type: 'vat.checked' }), 1);

    expect(next).toMatchObject({ type: 'vat.checked', check });
    expect(checked?.check).toEqual(check);
  });

  it('waits for the next event, with `now` from the end of the log', async () => {
    const vatfx = await newClient();
    await vatfx.checks.create(austrian);
    const cursors: string[] = [];
    const onCursor = (cursor: string): void => void cursors.push(cursor);

    const next = take(vatfx.events({ after: 'now', onCursor }), 1);
    await expect.poll(() => cursors.length).toBe(1);
    const check = await vatfx.checks.create({ ...austrian, reference: 'new' });

    expect(await next).toMatchObject([{ check }]);
  });

  it.each([0, 30])('ends without an error if it is aborted, with a wait of %i s', async (wait) => {
    const vatfx = await newClient();
    const stopping = new AbortController();
    const onCursor = (): void => void setImmediate(() => stopping.abort());
    const query = { after: 'now', waitSeconds: wait, onCursor, signal: stopping.signal };

    expect(await take(vatfx.events(query), 1)).toEqual([]);
    expect(await take(vatfx.events(query), 1)).toEqual([]);
  });
});

describe('a cursor that cannot be followed (rule E5)', () => {
  it('is an error with the first cursor if later events are deleted', async () => {
    const own = await startService({ ...hungary, config: { eventsRetentionDays: 1 } });
    const vatfx = clientOf(own);
    await vatfx.checks.create(austrian);
    const [oldest] = await take(vatfx.events(), 1);
    await own.liveAt('2026-11-22T16:00:00Z');
    const check = await vatfx.checks.create({ ...austrian, reference: 'c 2' });

    const error = await errorOf(take(vatfx.events({ after: oldest?.cursor }), 1));

    expect(error).toBeInstanceOf(CursorExpiredError);
    expect(error).toMatchObject({ name: 'CursorExpiredError', code: 'cursor expired' });
    const { firstCursor } = error as CursorExpiredError;
    expect(await take(vatfx.events({ after: firstCursor }), 1)).toMatchObject([{ check }]);
  });
});
