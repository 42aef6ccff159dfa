import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { checkApprox } from '../../../test/vat-check/support/check-against.ts';
import { print, RawRegistry } from '../../../test/vat-check/support/raw-registry.ts';
import { approxText } from '../../../test/vat-check/support/vies-texts.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';

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
});
