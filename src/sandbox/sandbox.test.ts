import { describe, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from './sandbox.ts';
import { openSandbox } from '../../test/support/sandbox/open-sandbox.ts';
import {
  postTedb,
  queryTedb,
  reduceRows,
  situationOn,
  tedbRequest,
} from '../../test/support/sandbox/upstream-reader.ts';
import { queryApprox, requestedBy } from '../../test/support/sandbox/vies-reader.ts';

async function open(): Promise<Sandbox> {
  return (await openSandbox({ brief: true })).sandbox;
}

async function play(sandbox: Sandbox, body: string, method = 'POST'): Promise<Response> {
  return fetch(`${sandbox.url}/_scenario`, { method, ...(body === '' ? {} : { body }) });
}

describe('GET /', () => {
  it('states which data are made up, and lists only commands that work', async () => {
    const sandbox = await open();

    const page = await (await fetch(`${sandbox.url}/`)).text();

    expect(page).toContain('Rate changes of the scenario are made up');
    expect(page).toContain('Traders are made up, all of them');
    const bodies = [...page.matchAll(/-d '(.*)'/g)].map(([, body]) => body ?? '');
    expect(bodies.length).toBeGreaterThan(5);
    for (const body of bodies) expect((await play(sandbox, body)).status).toBe(200);
    const [, url = '', script = ''] = /curl -X PUT (\S+) --data '(.*)'/.exec(page) ?? [];
    expect((await fetch(url, { method: 'PUT', body: script })).status).toBe(200);
  });
});

describe('/_scenario', () => {
  it('changes rates and clock with sentences, and shows and resets the scenario', async () => {
    const sandbox = await open();
    const standard = async () =>
      reduceRows(await queryTedb(sandbox, ['HU'], '<t:situationOn/>')).standard;

    await play(sandbox, '{"say":"HU standard 27 → 25 from tomorrow"}');
    const before = await standard();
    const posted: unknown = await (await play(sandbox, '{"today":"tomorrow"}')).json();

    expect([before, await standard()]).toEqual([27, 25]);
    expect(posted).toMatchObject({ today: '2026-11-21', rates: [{ country: 'HU' }] });
    expect(await (await play(sandbox, '', 'GET')).json()).toEqual(posted);
    const reset = await play(sandbox, '', 'DELETE');
    expect(await reset.json()).toMatchObject({ today: '2026-11-20', rates: [] });
  });

  it.each([
    ['{', 'POST', 400, 'the body is not JSON'],
    ['{"today":"someday"}', 'POST', 400, 'today: got'],
    ['{"say":"hello"}', 'POST', 400, 'expected a sentence like'],
    ['{}', 'PUT', 405, 'PUT'],
    ['x'.repeat(1024 * 1024 + 1), 'POST', 413, ''],
  ])('refuses what it cannot read, by $1 with $2: $3', async (body, method, status, error) => {
    const sandbox = await open();
    const before = sandbox.scenario.revision;

    const response = await play(sandbox, body, method);

    expect([response.status, await response.text()]).toEqual([
      status,
      expect.stringContaining(error),
    ]);
    expect(sandbox.scenario.revision).toBe(before);
  });
});

describe('a sandbox', () => {
  it('logs requests, refused ones and faults included, in its own time', async () => {
    const sandbox = await open();
    sandbox.scenario.apply({ tedb: { fault: 'html', times: 1 } });

    await postTedb(sandbox, tedbRequest(['DE'], situationOn('2026-11-20')));
    await postTedb(sandbox, 'nonsense');
    await fetch(`${sandbox.ecbUrl}eurofxref-daily.xml?x`);
    await queryApprox(sandbox, 'DE', '100', requestedBy('NL', '999999901B01'));

    const at = sandbox.clock.now();
    const fault = 'none';
    const requester = { countryCode: 'NL', vatNumber: '999999901B01' };
    expect(sandbox.requests.all).toMatchObject([
      { upstream: 'tedb', at, requestedDate: '2026-11-20', codes: ['DE'], fault: 'html' },
      { upstream: 'tedb', at, status: 500, fault },
      { upstream: 'ecb', at, file: 'eurofxref-daily.xml', status: 200, fault },
      {
        upstream: 'vies',
        at,
        operation: 'checkVatApprox',
        codes: ['DE'],
        vatNumber: '100',
        requester,
      },
    ]);
  });

  it('listens on a port of its own on loopback, and not on a taken one', async () => {
    const { url } = await open();

    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect(startSandbox({ port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE');
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
  });
});
