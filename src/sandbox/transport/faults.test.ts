import { describe, expect, it } from 'vitest';

import { isoDate } from '../../platform/time/time.ts';
import type { Sandbox } from '../sandbox.ts';
import { countBytes, mebibyte } from '../../../test/support/sandbox/count-bytes.ts';
import { openSandbox } from '../../../test/support/sandbox/open-sandbox.ts';
import {
  postTedb,
  readDays,
  readRows,
  situationOn,
  tedbRequest,
} from '../../../test/support/sandbox/upstream-reader.ts';
import { postVies, readCheck, viesRequest } from '../../../test/support/sandbox/vies-reader.ts';
import type { TransportFault } from './faults.ts';

const upstreams = {
  tedb: {
    ask: (sandbox: Sandbox) =>
      postTedb(sandbox, tedbRequest(['DE', 'FR'], situationOn('2026-09-15'))),
    read: (xml: string): unknown => readRows(xml),
    end: '</vatRateResults>',
  },
  ecb: {
    ask: (sandbox: Sandbox) =>
      fetch(`${sandbox.ecbUrl}eurofxref-hist-90d.xml`, { redirect: 'manual' }),
    read: (xml: string): unknown => readDays(xml),
    end: '</Cube>',
  },
  vies: {
    ask: (sandbox: Sandbox) => postVies(sandbox, viesRequest('FR', '100')),
    read: (xml: string): unknown => readCheck(xml),
    end: '<ns2:valid>true</ns2:valid>',
  },
};

async function open(fault: Partial<Record<string, object>> = {}): Promise<Sandbox> {
  const historyFrom = isoDate('2026-01-02');
  const { sandbox } = await openSandbox({ at: '2026-11-20T20:00:00Z', brief: true, historyFrom });
  sandbox.scenario.apply(fault);
  return sandbox;
}

describe.each(['tedb', 'ecb', 'vies'] as const)('a fault of the transport from %s', (upstream) => {
  const { ask, read, end } = upstreams[upstream];
  const answer = async (fault: TransportFault) => ask(await open({ [upstream]: { fault } }));
  const whole = async () => (await answer('none')).text();

  it.each([
    ['html', 200, /^<!DOCTYPE html>/],
    ['unavailable-503', 503, /^<!DOCTYPE html>/],
    ['forbidden-403', 403, /^<!DOCTYPE html>/],
    ['too-many-429', 429, /^<!DOCTYPE html>/],
    ['empty-404', 404, /^$/],
    ['empty-200', 200, /^$/],
  ] as const)('%s has status %d and the body %s', async (fault, status, body) => {
    const response = await answer(fault);

    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(body);
  });

  it('is a complete HTTP message that ends in the middle of the XML: truncated', async () => {
    const cut = await (await answer('truncated')).text();

    expect((await whole()).startsWith(cut)).toBe(true);
    expect(cut.trimEnd().endsWith(end)).toBe(true);
    expect(() => read(cut)).toThrow('unclosed tag');
  });

  it('spoils the text of a correct answer: stray-byte, not-utf8, doctype', async () => {
    const stray = Buffer.from(await (await answer('stray-byte')).bytes());
    const other = Buffer.from(await (await answer('not-utf8')).bytes());
    const declared = await (await answer('doctype')).text();

    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(stray)).toThrow('not valid');
    expect(stray.toString().replace('\uFFFD', '')).toBe(await whole());
    expect(other.toString('utf16le')).toBe(await whole());
    expect(declared).toContain('<!DOCTYPE answer [<!ENTITY e0 "laughter">');
    expect(declared.replace(/<!DOCTYPE [^[]*\[.*?\]>/, '')).toBe(await whole());
  });

  it.each(['oversized', 'gzip-bomb'] as const)('is larger than any limit: %s', async (fault) => {
    const enough = 16 * mebibyte;

    expect(await countBytes(await answer(fault), enough)).toBeGreaterThanOrEqual(enough);
  });

  it('ends the connection in the middle: reset', async () => {
    await expect((await answer('reset')).text()).rejects.toThrow('terminated');
  });

  it.each(['hang', 'stall'] as const)('lasts until the sandbox closes: %s', async (fault) => {
    const sandbox = await open({ [upstream]: { fault } });
    const answered = ask(sandbox).then((response) => response.text());
    await expect.poll(() => sandbox.requests.of(upstream).length).toBe(1);

    await sandbox.close();

    await expect(answered).rejects.toThrow(/fetch failed|terminated/);
  });
});

describe('answers of every upstream', () => {
  it('redirect to a page about maintenance', async () => {
    const sandbox = await open({ tedb: { fault: 'redirect' }, ecb: { fault: 'redirect' } });

    expect((await upstreams.ecb.ask(sandbox)).headers.get('location')).toBe('/sorry');
    expect(await (await upstreams.tedb.ask(sandbox)).text()).toMatch(/<h1>Sorry<\/h1>/);
  });
});
