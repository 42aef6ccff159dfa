import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { addErratum } from '../../src/rates/errata/add-erratum.ts';
import type { Answer } from '../support/send-request.ts';
import { shareService } from '../support/start-service.ts';
import { storeChecks } from '../support/stored-checks.ts';
import { addCaller } from './support/caller.ts';

const path = '/tools/vatfx';
const publicUrl = `https://tax.example.com${path}`;
const at = '2026-11-20T16:00:00Z';
const service = shareService({ config: { publicUrl }, lived: [at] });

const send = async (method: string, target: string, body?: object): Promise<Answer> => {
  const headers = { authorization: `Bearer ${service().key}` };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return service().sendRequest({ method, path: target, headers, ...sent });
};

describe('a request to a service under a path (rule O7)', () => {
  it.each([
    ['GET', '/rates', 200],
    ['HEAD', '/rates.csv?n=1', 200],
    ['POST', '/rates', 405],
    ['GET', '/fx/2026-11-21', 404],
    ['GET', '/vatchecks/none', 404],
    ['GET', '/docs', 200],
    ['GET', '/rates/%zz', 400],
    ['GET', '/nothing', 404],
  ])('is answered with the path and without it: %s %s', async (method, target, status) => {
    const { text, headers } = await send(method, target);

    for (const given of [target, path + target, `http://tax.example.com${path}${target}`]) {
      const answer = await send(method, given);
      expect([answer.status, answer.text]).toEqual([status, text]);
      expect(answer.headers['link']).toBe(headers['link']);
    }
  });

  it.each([
    `${path}${path}/rates`,
    `${path}rates`,
    `/rates${path}`,
    '/tools/rates',
    `/${path}/rates`,
  ])('is 404 or a malformed date for %s', async (target) => {
    expect([400, 404]).toContain((await send('GET', target)).status);
  });

  it('is of the same route in the log', async () => {
    const caller = await addCaller(service());
    for (const target of ['/fx?a', `${path}/fx?a`, `${path}/fx?a`]) await caller.get(target);

    const routes = (): unknown[] =>
      service().logLines.flatMap((line) =>
        line.includes(caller.id) ? (/"route":"([^"]*)"/.exec(line)?.[1] ?? []) : [],
      );
    await expect.poll(routes).toEqual(['/fx', '/fx', '/fx']);
  });
});

describe('the links of a service under a path (rule O7)', () => {
  it('have the path in Location', async () => {
    const check = { countryCode: 'AT', vatNumber: 'U99999901' };

    const created = [
      await send('POST', '/vatchecks', check),
      await send('POST', '/vatchecks/batch', { checks: [check] }),
      await send('POST', `${path}/webhooks`, { url: 'https://93.184.215.14/' }),
    ];

    expect(created.map(({ headers }) => headers.location?.replace(/\w+$/, 'ID'))).toEqual(
      ['vatchecks', 'vatchecks/batch', 'webhooks'].map((of) => `${path}/${of}/ID`),
    );
  });

  it('have the path in Link', async () => {
    const { db, watch } = service().core;
    const date = isoDate('2026-11-20');
    const values = { source: '27', law: '26', legalBasis: 'Act', reference: null };
    const erratum = { country: 'HU', field: 'standard', from: date, to: null, ...values };
    await addErratum(db, erratum, { at, by: { actor: 'ann@web-1', reason: null } });
    await watch.poll();
    const caller = await addCaller(service());
    const digits = ['1', '2'].map((digit) => digit.repeat(32));
    await storeChecks(db, ...digits.map((of) => ({ id: `vc_${of}`, key_id: caller.id })));

    const linkOf = async (target: string): Promise<unknown> =>
      (await caller.get(target)).headers.link;
    const links = [
      await linkOf('/rates/2026-11-20'),
      await linkOf(`${path}/fx/2026-11-14.csv`),
      await linkOf('/vatchecks.csv?limit=1'),
    ];

    expect(links).toEqual([
      `<${path}/rates/errata?date=2026-11-20>; rel="describedby"`,
      `<${path}/fx/2026-11-13.csv>; rel="prev", <${path}/fx/2026-11-16.csv>; rel="next"`,
      expect.stringMatching(/^<\/tools\/vatfx\/vatchecks\.csv\?limit=1&cursor=[^>]+>; rel="next"$/),
    ]);
  });

  it('have the address as the server of /openapi.json', async () => {
    const { text } = await send('GET', `${path}/openapi.json`);

    expect(JSON.parse(text)).toMatchObject({ servers: [{ url: publicUrl }] });
  });
});

describe('PUBLIC_URL', () => {
  it('is in the line that says where the service listens', () => {
    expect(service().logLines.find((line) => line.includes('"listening"'))).toContain(
      `"publicUrl":"${publicUrl}"`,
    );
  });

  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { readonly paths: object };
  const routes = new Set(Object.keys(paths).map((route) => route.split('/')[1] ?? ''));

  it.each([...routes])('is refused if its path begins with the route /%s', (route) => {
    const [first = ''] = route.split('.');

    expect(() => readConfig({ PUBLIC_URL: `https://tax.example.com/${route}/a` }, '')).toThrow(
      `expected a path that does not begin with /${first}, because routes of the API do`,
    );
  });
});
