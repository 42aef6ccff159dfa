import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unusedAddress } from '../../../../test/support/loopback-server.ts';
import { bzstText, simpleQuestion } from '../../../../test/vat-check/support/bzst-texts.ts';
import { print, printHead, RawRegistry } from '../../../../test/vat-check/support/raw-registry.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { systemClock } from '../../../platform/time/time.ts';
import { Upstream } from '../../../platform/upstream/upstream.ts';
import type { Failure } from '../outcome.ts';
import { RegistryClient } from '../registry-client.ts';
import { bzst } from './bzst.ts';

async function ask(url: string) {
  const upstream = new Upstream('bzst', { clock: systemClock, metrics: createMetrics() });
  onTestFinished(async () => upstream.close());
  const within = { deadlineMs: 1_000, signal: new AbortController().signal };
  const { outcome } = await new RegistryClient(bzst, upstream, { url }).ask(simpleQuestion, within);
  return outcome;
}

async function askAgainst(bytes: Uint8Array | string, isCut = true) {
  await using registry = await RawRegistry.start((socket) =>
    isCut ? socket.end(bytes) : socket.write(bytes),
  );
  return { outcome: await ask(registry.url), check: registry.checks[0] };
}

describe('the BZSt on a socket (rule M11)', () => {
  const no = bzstText('evatr-2001');
  const json = { 'Content-Type': 'application/json' };
  const html = { 'Content-Type': 'text/html; charset=UTF-8' };
  const gzip = { ...json, 'Content-Encoding': 'gzip' };
  const page = '<!DOCTYPE html><html><head><title>Wartung</title></head></html>';

  it('is asked by POST, and its "no" is read with HTTP 404', async () => {
    const { outcome, check } = await askAgainst(print(404, no, json));

    expect(check?.target).toMatch(/^POST .*\/abfrage$/);
    expect(check?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(check?.body).toBe('{"anfragendeUstid":"DE123456789","angefragteUstid":"ATU12345678"}');
    expect(outcome).toMatchObject({ kind: 'answered', answer: { valid: false } });
  });

  it.each<[string, Failure, Uint8Array | string]>([
    ['a web page with 200', 'unexpectedAnswer', print(200, page, html)],
    ['a web page with 404', 'unexpectedAnswer', print(404, page, html)],
    ['a web page with 403', 'forbidden', print(403, page, html)],
    ['a text with 403', 'forbidden', print(403, 'no', { 'Content-Type': 'text/plain' })],
    ['JSON of a gateway with 429', 'tooManyRequests', print(429, '{"code":429}', json)],
    ['a redirect', 'unexpectedAnswer', print(302, '', { Location: '/' })],
    ['JSON of a gateway with 404', 'unexpectedAnswer', print(404, '{"status":404}', json)],
    [
      'half an answer that its length covers',
      'unexpectedAnswer',
      print(200, no.slice(0, 90), json),
    ],
    [
      'another number',
      'otherNumber',
      print(404, bzstText('evatr-2001', { angefragteUstid: 'ATU1' })),
    ],
    ['a body that is cut', 'unreachable', print(404, no, json).subarray(0, -1)],
    ['a megabyte of blanks', 'unreadable', print(404, no + ' '.repeat(1e6), json)],
    ['a bomb of gzip', 'unreadable', print(404, gzipSync(no + ' '.repeat(1e8)), gzip)],
    ['no gzip', 'unreadable', print(404, no, gzip)],
    ['no HTTP', 'unreachable', '220 mail.example ESMTP\r\n'],
  ])('says nothing with %s', async (_, failure, bytes) => {
    expect((await askAgainst(bytes)).outcome).toEqual({ kind: 'failed', failure });
  });

  it('is unavailable with a page of maintenance, and with an answer that does not come', async () => {
    const maintenance = await askAgainst(print(503, page, html));
    const silent = await askAgainst(printHead(404, { ...json, 'Content-Length': '9' }), false);

    expect(maintenance.outcome).toEqual({ kind: 'serviceUnavailable', because: 'down' });
    expect(silent.outcome).toEqual({ kind: 'timedOut' });
    expect(await ask(await unusedAddress())).toEqual({ kind: 'failed', failure: 'unreachable' });
  });
});
