import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unusedAddress } from '../../test/support/loopback-server.ts';
import { SettableClock } from '../../test/support/settable-clock.ts';
import { check, checkApprox } from '../../test/vat-check/support/check-against.ts';
import { print, RawRegistry } from '../../test/vat-check/support/raw-registry.ts';
import { answerText, approxText, faultText } from '../../test/vat-check/support/vies-texts.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';

const requestedAt = Date.parse('2026-11-20T16:00:00Z');
const answeredAt = Date.parse('2026-11-20T16:00:03Z');

/** A recorder whose clock goes on by three seconds when the registry answers. */
async function serve(bytes: Uint8Array) {
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const registry = await RawRegistry.start((socket) => {
    clock.set('2026-11-20T16:00:03Z');
    socket.end(bytes);
  });
  return { registry, recorder: new ExchangeRecorder(clock) };
}

describe('a recorded exchange with the registry (rule K15)', () => {
  it.each([
    ['an answer', approxText({ traderName: 'ΦΑΝΤΑΣΤΙΚΗ &amp; ΥΙΟΙ' })],
    ['a fault', faultText('INVALID_REQUESTER_INFO')],
  ])('has the bytes that were sent and received, and their times: %s', async (_, text) => {
    const { registry, recorder } = await serve(print(200, text));
    await using _registry = registry;

    await checkApprox(registry.url, { trader: { name: 'Ünï & Söhne' }, recorder });

    const { recorded } = recorder;
    expect(recorded).toMatchObject({ url: registry.url, requestedAt, answeredAt });
    // The raw registry reads one character for each byte.
    const received = Buffer.from(registry.checks[0]?.body ?? '', 'latin1');
    expect(Buffer.from(recorded?.request ?? [])).toEqual(received);
    expect(Buffer.from(recorded?.response ?? []).toString()).toBe(text);
  });

  it('has an exchange of checkVat as well', async () => {
    const { registry, recorder } = await serve(print(200, answerText()));
    await using _registry = registry;

    await check(registry.url, 'AT', 'U99999901', recorder);

    expect(Buffer.from(recorder.recorded?.response ?? []).toString()).toBe(answerText());
    expect(registry.checks[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('is decoded if the registry compresses it in spite of the request', async () => {
    const compressed = print(200, gzipSync(approxText()), { 'Content-Encoding': 'gzip' });
    const { registry, recorder } = await serve(compressed);
    await using _registry = registry;

    await checkApprox(registry.url, { recorder });

    expect(Buffer.from(recorder.recorded?.response ?? []).toString()).toBe(approxText());
  });

  it('has no time of an answer if the answer was cut', async () => {
    const { registry, recorder } = await serve(print(200, approxText()).subarray(0, -20));
    await using _registry = registry;

    await checkApprox(registry.url, { recorder });

    const { recorded } = recorder;
    expect(recorded?.answeredAt).toBeUndefined();
    expect(Buffer.from(recorded?.response ?? []).toString()).toBe(approxText().slice(0, -20));
  });

  it('has no response if the registry cannot be reached', async () => {
    const recorder = new ExchangeRecorder(new SettableClock('2026-11-20T16:00:00Z'));

    await checkApprox(await unusedAddress(), { recorder });

    expect(recorder.recorded).toMatchObject({ requestedAt, answeredAt: undefined });
    expect(recorder.recorded?.response).toHaveLength(0);
  });

  it('is the newest one', async () => {
    const { registry, recorder } = await serve(print(200, approxText()));
    await using _registry = registry;
    await checkApprox(registry.url, { recorder });

    await checkApprox(await unusedAddress(), { recorder });

    expect(recorder.recorded).toMatchObject({ answeredAt: undefined, requestedAt: answeredAt });
    expect(recorder.recorded?.response).toHaveLength(0);
  });

  it('is undefined before an exchange', () => {
    expect(new ExchangeRecorder(new SettableClock('2026-11-20T16:00:00Z')).recorded).toBe(
      undefined,
    );
  });
});
