import { beforeAll, describe, expect, it } from 'vitest';
import { Cursors } from '../../src/events/log/cursor.ts';
import { shareService, startService } from '../support/start-service.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { addCaller, type Caller, usedBy } from './support/caller.ts';
import { announceFor, readPage, subjectsOf } from './support/event-log.ts';

const lived = ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'];
const script: NonNullable<Parameters<typeof shareService>[0]>['script'] = (scenario) =>
  changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20');

describe('GET /events (rules E1, E2)', () => {
  const service = shareService({ script, lived });
  let [one, other]: Caller[] = [];
  const subjects: string[] = [];
  beforeAll(async () => {
    one = await addCaller(service());
    other = await addCaller(service());
    for (const caller of [one, other, one, one]) {
      subjects.push(await announceFor(service().core.db, caller.id));
    }
  });
  const ofOne = () => subjects.filter((_, at) => at !== 1);

  it('answers public events and those of the own key, oldest first', async () => {
    const page = await readPage(one!);

    expect(page.events.map(({ type }) => type)).toEqual([
      'rates.changed',
      'vat.checked',
      'vat.checked',
      'vat.checked',
    ]);
    expect(subjectsOf(page).slice(1)).toEqual(ofOne());
    expect(page.hasMore).toBe(false);
    expect(subjectsOf(await readPage(other!))).toEqual([undefined, subjects[1]]);
  });

  it('continues after the cursor of any event, in pages of any size', async () => {
    const { events } = await readPage(one!);

    const pages = await Promise.all(
      events.map(async ({ cursor }) => readPage(one!, `after=${cursor}`)),
    );
    expect(pages.map(({ events: rest }) => rest)).toEqual(
      events.map((_, at) => events.slice(at + 1)),
    );
    const single = await readPage(one!, 'limit=1');
    expect(single).toMatchObject({ events: [events[0]], hasMore: true });
    expect(single.nextCursor).toBe(events[0]?.cursor);
  });

  it('answers an empty page after the last event, and after now', async () => {
    const { nextCursor } = await readPage(one!);

    const end = { events: [], nextCursor, hasMore: false };
    expect(await readPage(one!, `after=${nextCursor}`)).toEqual(end);
    expect(await readPage(one!, 'after=now&waitSeconds=30')).toEqual(end);
  });

  it('answers only the types that are named', async () => {
    const { events } = await readPage(one!, 'type=rates.changed,vat.changed');

    expect(events.map(({ type }) => type)).toEqual(['rates.changed']);
  });

  it('leaves out events of a key that has not the scope checks, and refuses one without read', async () => {
    const reader = await addCaller(service(), { scopes: ['read'] });
    const checker = await addCaller(service(), { scopes: ['checks'] });
    await announceFor(service().core.db, reader.id);

    expect((await readPage(reader)).events.map(({ type }) => type)).toEqual(['rates.changed']);
    const { status, text } = await checker.get('/events');
    expect([status, text]).toEqual([403, '{"error":"scope missing: read"}']);
  });

  it('may not be stored by a cache, and counts against the rate limit only (rule K10)', async () => {
    const caller = await addCaller(service());

    const { headers } = await caller.get('/events');

    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(await usedBy(caller)).toEqual([1, 0]);
  });

  const foreign = new Cursors('00'.repeat(32)).print({ position: 1, epoch: '0'.repeat(12) });
  const aCursor = "'after' — expected a cursor of this service";
  const types =
    'rates.changed, categories.changed, vat.checked, vat.changed, vat.watch_failed, separated by commas';
  const seconds = "'waitSeconds' — expected a whole number from 0 to 30";
  it.each([
    ['after=', aCursor],
    ['after=x', aCursor],
    ['after=Now', aCursor],
    ['after=now&after=now', aCursor],
    [`after=${foreign}`, aCursor],
    ['type=', `'type' — expected ${types}`],
    ['type=webhook.test', `'type' — expected ${types}`],
    ['type=rates.changed,', `'type' — expected ${types}`],
    ['type=rates.changed&type=vat.checked', `'type' — expected ${types}`],
    ['limit=0', "'limit' — expected positive integer"],
    ['limit=-1', "'limit' — expected positive integer"],
    ['limit=ten', "'limit' — expected positive integer"],
    ['waitSeconds=31', seconds],
    ['waitSeconds=-1', seconds],
    ['waitSeconds=', seconds],
  ])('refuses %s', async (query, expected) => {
    const { status, text } = await service().get(`/events?${query}`);

    expect([status, JSON.parse(text)]).toEqual([400, { error: `invalid ${expected}` }]);
  });

  it('refuses unknown parameters, and clamps a limit above 500', async () => {
    expect((await service().get('/events?since=2026-01-01')).text).toBe(
      '{"error":"unknown parameter \'since\'"}',
    );
    expect((await service().get('/events?limit=99999')).status).toBe(200);
  });
});

describe('pages of GET /events (rule E1)', () => {
  it('end after one megabyte, and go on after the last event', async () => {
    const service = await startService();
    const caller = await addCaller(service);
    const subjects: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      subjects.push(await announceFor(service.core.db, caller.id, { large: 'x'.repeat(400_000) }));
    }

    const first = await readPage(caller);
    const second = await readPage(caller, `after=${first.nextCursor}`);
    const third = await readPage(caller, `after=${second.nextCursor}`);

    const pages = [first, second, third];
    expect(pages.map(({ events }) => events.length)).toEqual([2, 2, 1]);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
    expect(pages.flatMap(subjectsOf)).toEqual(subjects);
  });
});
