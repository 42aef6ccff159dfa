import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { Sandbox } from '../sandbox.ts';
import { countBytes, mebibyte } from '../../../test/support/sandbox/count-bytes.ts';
import { openSandbox } from '../../../test/support/sandbox/open-sandbox.ts';
import {
  queryVies,
  postVies,
  readCheck,
  viesRequest,
} from '../../../test/support/sandbox/vies-reader.ts';
import type { TransportFault } from '../transport/faults.ts';
import { setMemberState, setViesFault } from '../../../test/support/sandbox/scripts.ts';

async function withFault(fault: TransportFault) {
  const { sandbox } = await openSandbox();
  setViesFault(sandbox.scenario, fault);
  return postVies(sandbox, viesRequest('FR', '100'));
}

async function wholeAnswer(): Promise<string> {
  return (await withFault('none')).text();
}

/** The answer as it arrives, with details that a client library would hide. */
async function sendRaw(sandbox: Sandbox, country: string): Promise<IncomingMessage> {
  const outgoing = request(sandbox.viesUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'text/xml' },
  });
  onTestFinished(() => {
    outgoing.on('error', () => {}).destroy();
  });
  outgoing.end(viesRequest(country, '100'));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

describe('faults of the transport from VIES', () => {
  it.each([
    ['html', 200],
    ['unavailable-503', 503],
    ['forbidden-403', 403],
    ['too-many-429', 429],
  ] as const)('answers with the page of %s under %d', async (fault, status) => {
    const response = await withFault(fault);

    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(await response.text()).toMatch(/^<!DOCTYPE html>/);
  });

  it('redirects to a page about maintenance', async () => {
    const response = await withFault('redirect');

    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/sorry');
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  });

  it.each([
    [200, 200],
    [500, 500],
  ] as const)('fails by a fault of its own under %d', async (faultStatus, status) => {
    const { sandbox } = await openSandbox();
    sandbox.scenario.apply({ vies: { fault: 'server-fault', faultStatus } });

    const response = await postVies(sandbox, viesRequest('FR', '100'));

    expect(response.status).toBe(status);
    expect(readCheck(await response.text()).faultstring).toBe('SERVICE_UNAVAILABLE');
  });

  it.each([
    ['empty-404', 404],
    ['empty-200', 200],
  ] as const)('answers %s without a byte under %d', async (fault, status) => {
    const response = await withFault(fault);

    expect(response.status).toBe(status);
    expect(await response.text()).toBe('');
  });

  it('truncates right after the validity, as a complete HTTP message', async () => {
    const cut = await (await withFault('truncated')).text();

    expect(cut).toMatch(/<ns2:valid>true<\/ns2:valid>$/);
    expect((await wholeAnswer()).startsWith(cut)).toBe(true);
  });

  it('truncates a fault right after its text', async () => {
    const { sandbox } = await openSandbox();
    setViesFault(sandbox.scenario, 'truncated');

    const cut = await (await postVies(sandbox, viesRequest('FR', '301'))).text();

    expect(cut).toMatch(/<faultstring>MS_UNAVAILABLE<\/faultstring>$/);
  });

  it('sends one byte that is not UTF-8', async () => {
    const bytes = await (await withFault('stray-byte')).bytes();

    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(
      'not valid for encoding utf-8',
    );
    expect(new TextDecoder().decode(bytes).replace('\uFFFD', '')).toBe(await wholeAnswer());
  });

  it('sends a body that is not UTF-8 at all', async () => {
    const bytes = Buffer.from(await (await withFault('not-utf8')).bytes());

    expect(bytes.toString('utf16le')).toBe(await wholeAnswer());
  });

  it('declares entities before a correct answer', async () => {
    const body = await (await withFault('doctype')).text();

    expect(body).toMatch(/^<!DOCTYPE answer \[<!ENTITY e0 "laughter">/);
    expect(body.replace(/<!DOCTYPE [^[]*\[.*?\]>/, '')).toBe(await wholeAnswer());
  });

  it.each([
    ['oversized', 'env'],
    ['oversized', 'soap'],
    ['gzip-bomb', 'env'],
    ['gzip-bomb', 'soap'],
  ] as const)('sends more than any cap: %s in the prefixes %s', async (fault, prefixes) => {
    const { sandbox } = await openSandbox();
    sandbox.scenario.apply({ vies: { fault, prefixes } });
    const response = await postVies(sandbox, viesRequest('FR', '100'));

    expect(await countBytes(response, 16 * mebibyte)).toBeGreaterThanOrEqual(16 * mebibyte);
  });

  it('resets the connection in the middle', async () => {
    const response = await withFault('reset');

    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it.each(['hang', 'stall', 'drip'] as const)(
    'lasts until the peer hangs up: %s',
    async (fault) => {
      const { sandbox } = await openSandbox();
      setViesFault(sandbox.scenario, fault);
      const left = new AbortController();
      const asked = fetch(sandbox.viesUrl, {
        method: 'POST',
        headers: { 'Content-Type': 'text/xml' },
        body: viesRequest('FR', '100'),
        signal: left.signal,
      }).then(async (response) => response.text());
      await expect.poll(() => sandbox.requests.vies.inFlight('FR')).toBe(1);

      left.abort();

      await expect(asked).rejects.toThrow('aborted');
      await expect.poll(() => sandbox.requests.vies.inFlight('FR')).toBe(0);
    },
  );

  it('drips without a length, so that it never ends', async () => {
    const { sandbox } = await openSandbox();
    setViesFault(sandbox.scenario, 'drip');

    const response = await sendRaw(sandbox, 'FR');
    const [first] = (await once(response, 'data')) as [Buffer];
    const begun = performance.now();
    const [second] = (await once(response, 'data')) as [Buffer];

    expect(response.headers['content-length']).toBeUndefined();
    expect(Buffer.concat([first, second]).toString()).toBe('<e');
    expect(performance.now() - begun).toBeGreaterThan(900);
  });

  it('heals after the scripted number of answers', async () => {
    const { sandbox } = await openSandbox();
    setViesFault(sandbox.scenario, 'empty-404', 1);

    const statuses = [
      (await postVies(sandbox, viesRequest('FR', '100'))).status,
      (await postVies(sandbox, viesRequest('FR', '100'))).status,
    ];

    expect(statuses).toEqual([404, 200]);
  });
});

describe('a Member State behind VIES', () => {
  it.each([
    ['down', 'MS_UNAVAILABLE'],
    ['throttled', 'MS_MAX_CONCURRENT_REQ'],
  ] as const)('answers every number when it is %s, and the others go on', async (state, fault) => {
    const { sandbox } = await openSandbox();
    setMemberState(sandbox.scenario, 'DE', state);

    for (const number of ['999999901', '100', '200', '302']) {
      expect((await queryVies(sandbox, 'DE', number)).faultstring).toBe(fault);
    }
    expect((await queryVies(sandbox, 'FR', '100')).valid).toBe('true');
  });

  it('is not queried for requests that VIES refuses itself', async () => {
    const { sandbox } = await openSandbox();
    setMemberState(sandbox.scenario, 'DE', 'down');

    expect((await queryVies(sandbox, 'DE', '1')).faultstring).toBe('INVALID_INPUT');
  });

  it('answers with a scripted code as text', async () => {
    const { sandbox } = await openSandbox();
    setMemberState(sandbox.scenario, 'DE', 'code', { code: '<valid>false</valid> & more' });

    const fault = await queryVies(sandbox, 'DE', '100');

    expect(fault.faultstring).toBe('<valid>false</valid> & more');
  });

  it('answers with a web page while other Member States answer checks', async () => {
    const { sandbox } = await openSandbox();
    setMemberState(sandbox.scenario, 'DE', 'html');

    const page = await postVies(sandbox, viesRequest('DE', '100'));

    expect(page.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect((await queryVies(sandbox, 'FR', '100')).valid).toBe('true');
  });

  it.each(['hang', 'drip'] as const)('can %s while other Member States answer', async (state) => {
    const { sandbox } = await openSandbox();
    setMemberState(sandbox.scenario, 'DE', state);
    const answered = queryVies(sandbox, 'DE', '100');
    await expect.poll(() => sandbox.requests.vies.inFlight('DE')).toBe(1);

    expect((await queryVies(sandbox, 'FR', '100')).valid).toBe('true');
    await sandbox.close();

    await expect(answered).rejects.toThrow(/fetch failed|terminated/);
  });

  it('heals by the sandbox’s clock', async () => {
    const { sandbox, clock } = await openSandbox();
    await fetch(`${sandbox.url}/_scenario`, {
      method: 'POST',
      body: '{"say": "DE is down for 40 minutes"}',
    });

    const before = await queryVies(sandbox, 'DE', '100');
    clock.set('2026-11-20T12:40:00Z');

    expect(before.faultstring).toBe('MS_UNAVAILABLE');
    expect((await queryVies(sandbox, 'DE', '100')).valid).toBe('true');
  });

  it('has a latency of its own', async () => {
    const { sandbox } = await openSandbox();
    setMemberState(sandbox.scenario, 'DE', 'up', { latencyMs: 40 });
    const begun = performance.now();

    await queryVies(sandbox, 'DE', '100');

    // Timers may be a millisecond early.
    expect(performance.now() - begun).toBeGreaterThan(38);
  });
});

describe('the max-age of VIES', () => {
  it('is sent with answers and with faults until it is null again', async () => {
    const { sandbox } = await openSandbox();
    const headerOf = async (number: string) =>
      (await postVies(sandbox, viesRequest('DE', number))).headers.get('cache-control');

    sandbox.scenario.apply({ vies: { maxAge: 600 } });
    const sent = [await headerOf('100'), await headerOf('200'), await headerOf('301')];
    sandbox.scenario.apply({ vies: { maxAge: null } });

    expect(sent).toEqual(['max-age=600', 'max-age=600', 'max-age=600']);
    expect(await headerOf('100')).toBeNull();
  });
});
