import { describe, expect, it } from 'vitest';
import type { PrintedWatch } from '../../src/vat-check/watches/print-watch.ts';
import { addCaller, type Caller } from '../api/support/caller.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer } from '../support/send-request.ts';
import { shareService, startService } from '../support/start-service.ts';

const number = '/AT/U99999901';
const dayMs = 86_400_000;

async function send(
  caller: Pick<Caller, 'sendRequest'>,
  method: string,
  path = '',
  body?: unknown,
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return caller.sendRequest({
    method,
    path: `/vatwatches${path}`,
    ...(body === undefined ? {} : { body: text }),
  });
}

async function watchOf(
  caller: Pick<Caller, 'sendRequest'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<PrintedWatch> {
  const answer = await send(caller, method, path, body);
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text) as PrintedWatch;
}

describe('PUT /vatwatches/<countryCode>/<vatNumber> (rule K13)', () => {
  const service = shareService();

  it('is 201 with defaults and without a body, and can be read', async () => {
    const caller = await addCaller(service());

    const answer = await send(caller, 'PUT', number);

    expect(answer.status).toBe(201);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(JSON.parse(answer.text)).toEqual({
      countryCode: 'AT',
      vatNumber: 'U99999901',
      everyDays: 90,
      registry: 'vies',
      requester: null,
      trader: null,
      reference: null,
      lastCheck: null,
      nextCheckAt: '2026-11-20T16:00:00.000Z',
      error: null,
      createdAt: '2026-11-20T16:00:00.000Z',
    });
    expect((await send(caller, 'GET', number)).text).toBe(answer.text);
  });

  it('is 200 for another spelling of the number, and changes the watch', async () => {
    const caller = await addCaller(service());
    await send(caller, 'PUT', '/GR/099999901', { everyDays: 30 });
    const body = {
      everyDays: 7,
      requester: { countryCode: 'NL', vatNumber: '854265259B01' },
      trader: { name: 'X', city: ' ' },
      reference: 'cust_1',
    };

    const answer = await send(caller, 'PUT', '/el/EL%2099.999.901', body);

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({
      ...body,
      countryCode: 'el',
      vatNumber: 'EL 99.999.901',
      trader: { name: 'X', street: null, postcode: null, city: null, companyType: null },
    });
    const { watches } = JSON.parse((await send(caller, 'GET')).text);
    expect(watches).toHaveLength(1);
  });

  it.each<[string, unknown, number, string]>([
    [number, { colour: 'red' }, 400, "unknown field 'colour'"],
    [number, [], 400, "invalid 'body' — expected a JSON object"],
    [number, '{', 400, 'invalid JSON body'],
    ...[0, 366, 1.5, '7', true].map((everyDays): [string, unknown, number, string] => [
      number,
      { everyDays },
      400,
      "invalid 'everyDays' — expected a whole number from 1 to 365",
    ]),
    [
      number,
      { requester: { countryCode: 'NL', vatNumber: 'x' } },
      400,
      "invalid 'requester' — expected a possible VAT number",
    ],
    [
      number,
      { trader: { companyType: 'x' } },
      400,
      "invalid 'trader.companyType' — expected a company type such as DE-1",
    ],
    [
      number,
      { reference: 'x'.repeat(101) },
      400,
      "invalid 'reference' — expected at most 100 printable characters",
    ],
    ['/GB/123456789', {}, 422, 'INVALID_INPUT'],
    [`/AT/U99999901${'%20'.repeat(56)}`, {}, 422, 'INVALID_INPUT'],
    ['/AT/%C3%BC', {}, 422, 'INVALID_INPUT'],
  ])('refuses %s with %j', async (path, body, status, text) => {
    const caller = await addCaller(service());

    const answer = await send(caller, 'PUT', path, body);

    expect(formOf(answer)).toEqual(errorForm(status, text));
    expect(JSON.parse((await send(caller, 'GET')).text).watches).toEqual([]);
  });
});

describe('watches of a key', () => {
  const service = shareService();

  it('are listed newest first, in pages, and not to another key', async () => {
    const caller = await addCaller(service());
    const other = await addCaller(service());
    const numbers = ['U99999901', 'U99999902', 'U99999903'];
    for (const vat of numbers) await send(caller, 'PUT', `/AT/${vat}`);

    const first = JSON.parse((await send(caller, 'GET', '?limit=2')).text);
    const second = JSON.parse((await send(caller, 'GET', `?cursor=${first.nextCursor}`)).text);

    const numbersOf = (page: { readonly watches: readonly PrintedWatch[] }) =>
      page.watches.map(({ vatNumber }) => vatNumber);
    // The clock stands still, so their order is any.
    expect([...numbersOf(first), ...numbersOf(second)].toSorted()).toEqual(numbers);
    expect([first.count, second.count, second.nextCursor]).toEqual([2, 1, null]);
    expect(JSON.parse((await send(other, 'GET')).text)).toEqual({
      watches: [],
      count: 0,
      nextCursor: null,
    });
  });

  it('can be read and deleted by their key only', async () => {
    const caller = await addCaller(service());
    const other = await addCaller(service());
    await send(caller, 'PUT', number);
    const absent = errorForm(404, 'not found');

    for (const method of ['GET', 'DELETE']) {
      expect(formOf(await send(other, method, number))).toEqual(absent);
    }
    expect((await send(caller, 'DELETE', '/at/ATU99999901')).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      expect(formOf(await send(caller, method, number))).toEqual(absent);
    }
  });

  it.each([
    ['?limit=0', "invalid 'limit' — expected positive integer"],
    ['?cursor=x', "invalid 'cursor' — expected the nextCursor of the page before"],
    ['?colour=red', "unknown parameter 'colour'"],
  ])('refuses %s', async (query, text) => {
    const caller = await addCaller(service());

    expect(formOf(await send(caller, 'GET', query))).toEqual(errorForm(400, text));
  });
});

describe('the checks of a watch', () => {
  it('are made by the jobs, one charge each, and can be read like any other', async () => {
    const service = await startService();
    service.startJobs();
    const caller = await addCaller(service);
    await send(caller, 'PUT', number, { everyDays: 2 });

    await eventually(
      async () => (await watchOf(caller, 'GET', number)).lastCheck?.status === 'answered',
    );

    const { lastCheck, nextCheckAt } = await watchOf(caller, 'GET', number);
    expect(lastCheck).toMatchObject({ valid: true, vatNumber: 'U99999901', attempts: 1 });
    const waitMs = Date.parse(nextCheckAt) - Date.parse('2026-11-20T16:00:00Z');
    expect(waitMs).toBeGreaterThanOrEqual(dayMs);
    expect(waitMs).toBeLessThanOrEqual(2 * dayMs);
    const read = await caller.sendRequest({ method: 'GET', path: `/vatchecks/${lastCheck?.id}` });
    expect(JSON.parse(read.text)).toEqual(lastCheck);
    const usage = JSON.parse((await caller.get('/usage')).text);
    expect(usage.quota.used).toBe(1);
  });
});
