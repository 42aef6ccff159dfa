import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SettableClock } from '../../../../test/support/settable-clock.ts';
import { print, RawRegistry } from '../../../../test/vat-check/support/raw-registry.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { Upstream } from '../../../platform/upstream/upstream.ts';
import { ExchangeRecorder } from '../exchange-recorder.ts';
import type { Failure } from '../outcome.ts';
import { RegistryClient } from '../registry-client.ts';
import type { Question } from '../registry.ts';
import { hmrc } from './hmrc.ts';

const question: Question = {
  vatNumber: { registryCode: 'GB', number: '553557881' },
  requester: { registryCode: 'GB', number: '146295999727' },
  trader: { name: 'Credite' },
};
const json = { 'Content-Type': 'application/json', Date: 'Fri, 13 Feb 2026 23:59:59 GMT' };
const gzip = { ...json, 'Content-Encoding': 'gzip' };
const notFound = (message: string) => JSON.stringify({ code: 'NOT_FOUND', message });
const other = JSON.stringify({ target: { vatNumber: '553557882' } });
const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));

const failed = (failure: Failure) => ({ kind: 'failed', failure });
const down = { kind: 'serviceUnavailable', because: 'down' };

async function ask(bytes: Uint8Array) {
  await using registry = await RawRegistry.start((socket) => socket.end(bytes));
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const upstream = new Upstream('hmrc', { clock, metrics: createMetrics() });
  onTestFinished(async () => upstream.close());
  const recorder = new ExchangeRecorder(clock);
  const token = { headers: async () => ({ authorization: 'Bearer t0ken' }), refused: () => {} };
  const client = new RegistryClient(hmrc, upstream, { url: registry.url, authorization: token });
  const { signal } = new AbortController();
  const { outcome } = await client.ask(question, { deadlineMs: 5_000, signal, recorder });
  return { outcome, received: registry.checks[0], kept: recorder.recorded };
}

describe('an answer of HMRC that must not be read as a “no”', () => {
  it.each<[string, object, Uint8Array]>([
    ['a body that is cut', failed('unreachable'), print(404, notFound('x'), json).subarray(0, -1)],
    ['1 MB', failed('unreadable'), print(404, notFound('x'.repeat(1_000_000)), json)],
    ['a bomb', failed('unreadable'), print(404, bomb, gzip)],
    ['no gzip', failed('unreadable'), print(404, notFound('x'), gzip)],
    ['a bomb under 503', down, print(503, bomb, gzip)],
    ['a 500 that is cut', down, print(500, 'x', json).subarray(0, -1)],
    ['a web page', failed('unexpectedAnswer'), print(200, '<!DOCTYPE html>')],
    ['a redirect', failed('unexpectedAnswer'), print(307, notFound('x'), { Location: '/' })],
    ['another number', failed('otherNumber'), print(200, other, json)],
  ])('is recognised: %s', async (_, outcome, bytes) => {
    expect((await ask(bytes)).outcome).toEqual(outcome);
  });

  it('is told from one by its whole form; evidence has neither the token nor the trader', async () => {
    const { outcome, received, kept } = await ask(print(404, notFound('x'), json));

    expect(outcome).toMatchObject({ kind: 'answered', answer: { valid: false } });
    expect(received?.headers).toMatchObject({
      accept: 'application/vnd.hmrc.2.0+json',
      authorization: 'Bearer t0ken',
    });
    expect(Buffer.from(kept?.request ?? []).toString()).toBe(
      `${received?.target} HTTP/1.1\r\nAccept: application/vnd.hmrc.2.0+json\r\n`,
    );
    expect(received?.target).not.toContain('Credite');
  });
});
