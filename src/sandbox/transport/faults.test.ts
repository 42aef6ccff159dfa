import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import { isoDate } from '../../platform/time.ts';
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
import { setEcbFault } from '../../../test/support/sandbox/scripts.ts';
import type { TransportFault } from './faults.ts';

type Upstream = 'tedb' | 'ecb';
const both = [['tedb'], ['ecb']] as const;

async function open(): Promise<Sandbox> {
  const historyFrom = isoDate('2026-01-02');
  return (await openSandbox({ at: '2026-11-20T20:00:00Z', brief: true, historyFrom })).sandbox;
}

function sendRequest(sandbox: Sandbox, upstream: Upstream): Promise<Response> {
  return upstream === 'tedb'
    ? postTedb(sandbox, tedbRequest(['DE', 'FR'], situationOn('2026-09-15')))
    : fetch(`${sandbox.ecbUrl}eurofxref-hist-90d.xml`);
}

/** The answer as it arrives, chunk by chunk, for the faults that a client library would hide. */
async function sendRaw(sandbox: Sandbox): Promise<IncomingMessage> {
  const outgoing = request(`${sandbox.ecbUrl}eurofxref-daily.xml`);
  onTestFinished(() => {
    outgoing.on('error', () => {}).destroy();
  });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

function read(upstream: Upstream, xml: string): number {
  return upstream === 'tedb' ? readRows(xml).length : readDays(xml).length;
}

async function withFault(upstream: Upstream, fault: TransportFault) {
  const sandbox = await open();
  sandbox.scenario.apply(upstream === 'tedb' ? { tedb: { fault: fault } } : { ecb: { fault } });
  return { sandbox, response: await sendRequest(sandbox, upstream) };
}

describe.each(both)('faults of the transport from %s', (upstream) => {
  it('sends the complete answer without a fault', async () => {
    const { response } = await withFault(upstream, 'none');

    expect(read(upstream, await response.text())).toBeGreaterThan(10);
  });

  it.each([
    ['html', 200],
    ['unavailable-503', 503],
    ['forbidden-403', 403],
    ['too-many-429', 429],
  ] as const)('answers with the page of %s under %d', async (fault, status) => {
    const { response } = await withFault(upstream, fault);

    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
  });

  it.each([
    ['empty-404', 404],
    ['empty-200', 200],
  ] as const)('answers %s without a byte under %d', async (fault, status) => {
    const { response } = await withFault(upstream, fault);

    expect(response.status).toBe(status);
    expect(await response.text()).toBe('');
  });

  it('answers 500 with server-fault', async () => {
    const { response } = await withFault(upstream, 'server-fault');

    const body = await response.text();
    expect(response.status).toBe(500);
    expect(body).toContain(
      upstream === 'tedb' ? '<faultcode>env:Server</faultcode>' : '<h1>500</h1>',
    );
  });

  it('truncates after a whole row or day, as a complete HTTP message', async () => {
    const whole = await (await sendRequest(await open(), upstream)).text();
    const { response } = await withFault(upstream, 'truncated');

    const cut = await response.text();
    expect(response.status).toBe(200);
    expect(whole.startsWith(cut)).toBe(true);
    expect(cut.length).toBeLessThan(whole.length * 0.6);
    expect(cut.trimEnd()).toMatch(/(<\/vatRateResults>|<\/Cube>)$/);
    expect(() => read(upstream, cut)).toThrow('unclosed tag');
  });

  it('sends one byte that is not UTF-8', async () => {
    const whole = await (await sendRequest(await open(), upstream)).text();
    const { response } = await withFault(upstream, 'stray-byte');

    const bytes = await response.bytes();
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(
      'not valid for encoding utf-8',
    );
    expect(new TextDecoder().decode(bytes).replace('\uFFFD', '')).toBe(whole);
  });

  it('sends a body that is not UTF-8 at all', async () => {
    const whole = await (await sendRequest(await open(), upstream)).text();
    const { response } = await withFault(upstream, 'not-utf8');

    const bytes = Buffer.from(await response.bytes());
    expect(bytes.toString('utf16le')).toBe(whole);
    expect(() => read(upstream, bytes.toString())).toThrow('disallowed character');
  });

  it('declares entities before a correct answer', async () => {
    const whole = await (await sendRequest(await open(), upstream)).text();
    const { response } = await withFault(upstream, 'doctype');

    const body = await response.text();
    expect(body).toMatch(/^(<\?xml[^>]*>)?<!DOCTYPE answer \[<!ENTITY e0 "laughter">/);
    expect(body.replace(/<!DOCTYPE [^[]*\[.*?\]>/, '')).toBe(whole);
  });

  it('sends more than any limit', async () => {
    const { response } = await withFault(upstream, 'oversized');

    expect(await countBytes(response, 16 * mebibyte)).toBeGreaterThanOrEqual(16 * mebibyte);
  });

  it('sends a megabyte that decodes to more than any limit', async () => {
    const { response } = await withFault(upstream, 'gzip-bomb');

    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(Number(response.headers.get('content-length'))).toBeLessThan(2 * 1024 * 1024);
    expect(await countBytes(response, 64 * mebibyte)).toBeGreaterThanOrEqual(64 * mebibyte);
  });

  it('redirects to a page about maintenance', async () => {
    const { sandbox, response } = await withFault(upstream, 'redirect');

    // fetch follows redirects by default, like most clients.
    expect(response.redirected).toBe(true);
    expect(response.url).toBe(`${sandbox.url}/sorry`);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^<!DOCTYPE html>.*<h1>Sorry<\/h1>/s);
  });

  it('stalls in the middle of the body', async () => {
    const { sandbox, response } = await withFault(upstream, 'stall');

    const first = await response.body?.getReader().read();
    expect(response.status).toBe(200);
    expect(new TextDecoder().decode(first?.value)).toMatch(/^<(env:Envelope|\?xml)/);
    // It ends only when the peer hangs up.
    await sandbox.close();
  });

  it('resets the connection in the middle', async () => {
    const { response } = await withFault(upstream, 'reset');

    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('hangs until the peer hangs up', async () => {
    const sandbox = await open();
    sandbox.scenario.apply(
      upstream === 'tedb' ? { tedb: { fault: 'hang' } } : { ecb: { fault: 'hang' } },
    );
    const answered = sendRequest(sandbox, upstream);
    await expect.poll(() => sandbox.requests.of(upstream).length).toBe(1);

    const closed = sandbox.close();

    await expect(answered).rejects.toThrow('fetch failed');
    await closed;
  });
});

describe('faults of the transport from ecb', () => {
  it('drips byte by byte', async () => {
    const sandbox = await open();
    setEcbFault(sandbox.scenario, 'drip');

    const response = await sendRaw(sandbox);
    const [first] = (await once(response, 'data')) as [Buffer];
    const [second] = (await once(response, 'data')) as [Buffer];

    expect(Buffer.concat([first, second]).toString()).toBe('<?');
    expect(response.headers['content-length']).toBeUndefined();
  });

  it('answers conditional and gzip requests with a fault as well', async () => {
    const sandbox = await open();
    setEcbFault(sandbox.scenario, 'truncated');
    const url = `${sandbox.ecbUrl}eurofxref-daily.xml`;
    const lastModified = (await fetch(url)).headers.get('last-modified') ?? '';

    const response = await fetch(url, { headers: { 'If-Modified-Since': lastModified } });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-encoding')).toBeNull();
    const cut = await response.text();
    expect(() => readDays(cut)).toThrow('unclosed tag');
  });
});

describe('latency', () => {
  it('delays the beginning of the answer', async () => {
    const sandbox = await open();
    sandbox.scenario.apply({ tedb: { latencyMs: 40 } });
    const before = performance.now();

    await sendRequest(sandbox, 'tedb');

    // Timers may be a millisecond early.
    expect(performance.now() - before).toBeGreaterThan(38);
  });

  it('does not delay close', async () => {
    const sandbox = await open();
    sandbox.scenario.apply({ tedb: { latencyMs: 600_000 } });
    const answered = sendRequest(sandbox, 'tedb');
    await expect.poll(() => sandbox.requests.of('tedb').length).toBe(1);

    const closed = sandbox.close();

    await expect(answered).rejects.toThrow('fetch failed');
    await closed;
  });
});
