import { describe, expect, it } from 'vitest';

import { type Sandbox } from './sandbox.ts';
import { openSandbox } from '../../test/support/sandbox/open-sandbox.ts';
import { queryTedb, reduceRows } from '../../test/support/sandbox/upstream-reader.ts';

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
});
