import { describe, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from './sandbox.ts';
import { openSandbox } from '../../test/support/sandbox/open-sandbox.ts';
import {
  queryTedb,
  postTedb,
  reduceRows,
  situationOn,
  tedbRequest,
} from '../../test/support/sandbox/upstream-reader.ts';
import { setTedbFault, setToday } from '../../test/support/sandbox/scripts.ts';

async function open(): Promise<Sandbox> {
  return (await openSandbox({ brief: true })).sandbox;
}

async function play(sandbox: Sandbox, body: unknown): Promise<Response> {
  return fetch(`${sandbox.url}/_scenario`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('GET /', () => {
  it('states which data are real and which are made up', async () => {
    const sandbox = await open();

    const page = await (await fetch(`${sandbox.url}/`)).text();

    expect(page).toContain('real history of the EU-27 since 2016');
    expect(page).toContain('Rate changes of the scenario are made up');
    expect(page).toContain('Euro reference rates are generated');
    expect(page).toContain('Traders are made up, all of them');
  });

  it('lists only commands that work', async () => {
    const sandbox = await open();
    const page = await (await fetch(`${sandbox.url}/`)).text();

    const bodies = [...page.matchAll(/-d '(.*)'/g)].map(([, body]) => body ?? '');
    const statuses = await Promise.all(
      bodies.map(async (body) => (await play(sandbox, body)).status),
    );

    expect(page).toContain(`curl -X POST ${sandbox.url}/_scenario -d '{"today": "tomorrow"}'`);
    expect(bodies.length).toBeGreaterThan(5);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('/_scenario', () => {
  it('changes rates, clock and answers with sentences', async () => {
    const sandbox = await open();

    await play(sandbox, { say: 'HU standard 27 → 25 from tomorrow' });
    const before = reduceRows(await queryTedb(sandbox, ['HU'], '<t:situationOn/>'));
    await play(sandbox, { today: 'tomorrow' });
    const after = reduceRows(await queryTedb(sandbox, ['HU'], '<t:situationOn/>'));

    expect([before.standard, after.standard]).toEqual([27, 25]);
    expect(new Date(sandbox.clock.now()).toISOString()).toBe('2026-11-21T12:00:00.000Z');
  });

  it('answers GET with the scenario that POST answered', async () => {
    const sandbox = await open();

    const posted: unknown = await (await play(sandbox, { ecb: { lateDays: 1 } })).json();

    expect(await (await fetch(`${sandbox.url}/_scenario`)).json()).toEqual(posted);
    expect(posted).toMatchObject({ today: '2026-11-20', ecb: { lateDays: 1 } });
  });

  it('resets the scenario on DELETE', async () => {
    const sandbox = await open();
    await play(sandbox, { today: '2027-01-01', tedb: { fault: 'hang' } });

    const response = await fetch(`${sandbox.url}/_scenario`, { method: 'DELETE' });

    expect(await response.json()).toMatchObject({ today: '2026-11-20', tedb: { fault: 'none' } });
  });

  it.each([
    ['{', 'the body is not JSON'],
    ['{"today":"someday"}', 'today: got "someday"'],
    ['{"say":"hello"}', 'say: got "hello", expected a sentence like'],
  ])('refuses %s and changes nothing', async (body, error) => {
    const sandbox = await open();
    const before = sandbox.scenario.revision;

    const response = await play(sandbox, body);

    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toContain(error);
    expect(sandbox.scenario.revision).toBe(before);
  });

  it('answers 405 to other methods', async () => {
    const sandbox = await open();

    expect((await fetch(`${sandbox.url}/_scenario`, { method: 'PUT' })).status).toBe(405);
  });
});

describe('requests', () => {
  it('logs the requests to each upstream in the sandbox’s time', async () => {
    const sandbox = await open();
    setToday(sandbox.scenario, '2026-12-01');

    await queryTedb(sandbox, ['DE', 'EL'], situationOn('2026-11-30'));
    await fetch(`${sandbox.ecbUrl}eurofxref-daily.xml?x`);
    await fetch(`${sandbox.url}/`);

    expect(sandbox.requests.all).toMatchObject([
      {
        upstream: 'tedb',
        requestedDate: '2026-11-30',
        codes: ['DE', 'EL'],
        status: 200,
        fault: 'none',
      },
      { upstream: 'ecb', file: 'eurofxref-daily.xml', status: 200, fault: 'none' },
    ]);
    expect(sandbox.requests.all.map(({ at }) => at)).toEqual([
      sandbox.clock.now(),
      sandbox.clock.now(),
    ]);
  });

  it('logs refused requests and answers with faults as well', async () => {
    const sandbox = await open();
    setTedbFault(sandbox.scenario, 'html', 1);

    await postTedb(sandbox, tedbRequest(['DE'], situationOn('2026-11-20')));
    await postTedb(sandbox, 'nonsense');
    await postTedb(sandbox, tedbRequest(['XX'], situationOn('2026-11-20')), {});

    expect(sandbox.requests.of('tedb').map(({ status, fault }) => `${status} ${fault}`)).toEqual([
      '200 html',
      '500 none',
      '404 none',
    ]);
    sandbox.requests.clear();
    expect(sandbox.requests.all).toEqual([]);
  });
});

describe('startSandbox', () => {
  it('listens on loopback; each sandbox has a port of its own', async () => {
    const [one, other] = [await open(), await open()];

    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(other.url).not.toBe(one.url);
    expect(one.tedbUrl).toBe(`${one.url}/taxation_customs/tedb/ws/`);
    expect(one.ecbUrl).toBe(`${one.url}/stats/eurofxref/`);
    expect(one.viesUrl).toBe(`${one.url}/taxation_customs/vies/services/checkVatService`);
  });

  it('fails when the port is taken', async () => {
    const sandbox = await open();

    await expect(startSandbox({ port: Number(new URL(sandbox.url).port) })).rejects.toThrow(
      'EADDRINUSE',
    );
  });

  it.each(['/nothing', '/stats/eurofxref', '/taxation_customs/tedb/ws/VatRetrievalService.wsdl'])(
    'does not serve GET %s',
    async (path) => {
      const sandbox = await open();

      expect((await fetch(`${sandbox.url}${path}`)).status).toBe(404);
    },
  );

  it('answers 413 to a body of more than a megabyte', async () => {
    const sandbox = await open();

    expect((await play(sandbox, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });
});
