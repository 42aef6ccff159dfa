import { describe, expect, it } from 'vitest';
import { shareBothWays } from '../support/both-ways.ts';
import {
  readable,
  smuggling,
  tooLarge,
  unreadableBodies,
  unreadableHeads,
} from '../support/raw-payloads.ts';
import { good, head } from '../support/raw-requests.ts';

const both = shareBothWays({ lived: ['2026-11-20T16:00:00Z'] });

describe('raw bytes (reliability R24) have the same answers with and without the fast path', () => {
  it('of at least 80 payloads', () => {
    const all = [readable, smuggling, tooLarge, unreadableBodies, unreadableHeads].flat();

    expect(all.length).toBeGreaterThanOrEqual(80);
  });

  it.each([...readable, ...unreadableHeads])('with %s', async (_what, payload) => {
    expect(await both.differences({ writes: [payload] })).toEqual([]);
  });

  it.each([...readable, ...unreadableHeads, ...smuggling, ...tooLarge])(
    'with %s after a valid request',
    async (_what, payload) => {
      expect(await both.differences({ writes: [good, payload], answers: 2 })).toEqual([]);
    },
  );

  it.each(smuggling)('with %s, and a valid request after it', async (_what, payload) => {
    expect(await both.differences({ writes: [payload + good] })).toEqual([]);
  });

  it.each(tooLarge)('with %s', async (_what, payload) => {
    expect(await both.differences({ writes: [payload] })).toEqual([]);
  });

  it.each([2, 3, 5, 8, 12, 14, 15, 17, 20])('with a head of %i KB', async (kilobytes) => {
    const filling = `User-Agent: ${'x'.repeat(kilobytes * 1_024 - head.length - 60)}\r\n`;

    expect(await both.differences({ writes: [`${head}${filling}\r\n`] })).toEqual([]);
  });

  it('in /metrics: both count the same requests', async () => {
    const counts = await both.counts();

    expect(counts.general).not.toEqual([]);
    expect(counts.fast).toEqual(counts.general);
  });
});

describe('a client that ends its side directly after its request', () => {
  const bothWays = shareBothWays({ lived: ['2026-11-20T16:00:00Z'] });

  it.each([
    ['unknown', 'vfx_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf2xe133'],
    ['malformed', 'vfx_1'],
  ])('is answered 401 both ways, with a key that is %s', async (_what, key) => {
    const { fast, general } = await bothWays.hold({ writes: [good], isHalfClosed: true }, [
      key,
      key,
    ]);

    expect(fast.bytes).toContain('HTTP/1.1 401 Unauthorized\r\n');
    expect(fast).toEqual(general);
  });

  it('gets the answers to all of 40 requests that it sent together, both ways', async () => {
    const writes = [good.repeat(40)];
    const { fast, general } = await bothWays.hold({ writes, isHalfClosed: true, answers: 40 });

    expect(fast.bytes.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(40);
    expect(fast.bytes).toBe(general.bytes);
  });
});

describe('bodies that cannot be read (reliability R24)', () => {
  const bothWays = shareBothWays({ lived: ['2026-11-20T16:00:00Z'] });

  it.each(unreadableBodies)(
    'with %s: no request after them is answered',
    async (_what, payload) => {
      const { fast, general } = await bothWays.hold({ writes: [payload + good] });

      // The number of answers before the connection breaks depends on timing.
      const [shorter, longer] = [fast.bytes, general.bytes].toSorted((a, b) => a.length - b.length);
      expect(longer?.startsWith(shorter ?? '')).toBe(true);
    },
  );
});
