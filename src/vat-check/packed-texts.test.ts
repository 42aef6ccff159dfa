import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PackedRoom, type PackedText, PackedTexts } from './packed-texts.ts';

const headBytes = 12;
const wide: PackedRoom = { slabBytes: 65_536, slabsMax: 4, bucketCount: 1_024 };
/** A slab has room for exactly three of the texts that are called long, and there are two. */
const narrow: PackedRoom = { slabBytes: 96, slabsMax: 2, bucketCount: 1_024 };
const long = 'x'.repeat(17);

function textOf(text: string): PackedText {
  return { text, endsAtMs: 1.5 };
}

function keepAll(texts: PackedTexts, keys: readonly string[]): void {
  for (const key of keys) texts.keep(key, textOf(long));
}

function known(texts: PackedTexts, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => texts.find(key) !== undefined);
}

describe('a text', () => {
  it.each([
    ['nothing', ''],
    ['line breaks', 'a\n\nb\n'],
    ['Greek', 'ΕΠΙΝΟΗΜΕΝΟΣ ΦΟΥΡΝΟΣ ΑΕ'],
    ['signs beyond the basic plane', '𝔅äckerei 🥐'],
    ['control signs', '\u0000\u001f\u007f\u0080\u2028'],
    ['as much as the registry may say', 'Ω'.repeat(32_000)],
  ])('of %s is found as it was kept', (_, text) => {
    const texts = new PackedTexts(wide);

    texts.keep('AT1', { text, endsAtMs: 1_795_000_000_000.25 });

    expect(texts.find('AT1')).toEqual({ text, endsAtMs: 1_795_000_000_000.25 });
  });

  it('gives way to a newer one', () => {
    const texts = new PackedTexts(wide);

    texts.keep('AT1', textOf('older'));
    texts.keep('AT1', { text: 'new', endsAtMs: 2 });

    expect(texts.find('AT1')).toEqual({ text: 'new', endsAtMs: 2 });
  });

  it.each([
    ['begins its key', 'AT1'],
    ['its key begins', 'AT12\n3'],
    ['has a key of the same length', 'AT13'],
    ['has no key', ''],
  ])('is not the one of what %s, in the same bucket', (_, key) => {
    const texts = new PackedTexts({ ...wide, bucketCount: 1 });

    texts.keep('AT12', textOf('3'));

    expect(texts.find(key)).toBeUndefined();
  });

  it('fills a slab to its last byte', () => {
    const texts = new PackedTexts(narrow);
    const text = 'x'.repeat(narrow.slabBytes - headBytes - 'AT1\n'.length);

    texts.keep('AT1', textOf(text));

    expect(texts.find('AT1')?.text).toBe(text);
  });

  it('is not kept when no slab can take it, nor is the one before it', () => {
    const texts = new PackedTexts(narrow);

    texts.keep('AT1', textOf('x'));
    texts.keep('AT2', textOf('y'));
    texts.keep('AT1', textOf('x'.repeat(narrow.slabBytes - headBytes - 'AT1\n'.length + 1)));

    expect(texts.find('AT1')).toEqual({ text: '', endsAtMs: -Infinity });
    expect(texts.find('AT2')?.text).toBe('y');
  });
});

describe('the room', () => {
  const keys = ['K1', 'K2', 'K3', 'K4', 'K5', 'K6', 'K7'];

  it('is taken from the oldest slab when all are full', () => {
    const texts = new PackedTexts(narrow);

    keepAll(texts, keys);

    expect(known(texts, keys)).toEqual(['K4', 'K5', 'K6', 'K7']);
  });

  it('counts the age of a text from when it was last kept', () => {
    const texts = new PackedTexts(narrow);

    keepAll(texts, ['K1', 'K2', 'K3', 'K1', 'K4', 'K5', 'K6']);

    expect(known(texts, keys)).toEqual(['K1', 'K4', 'K5', 'K6']);
  });

  it('is not taken from others by keys that collide', () => {
    const texts = new PackedTexts({ ...wide, bucketCount: 1 });
    const many = Array.from({ length: 20 }, (_, at) => `K${at}`);

    keepAll(texts, many);

    expect(known(texts, many)).toEqual(many.slice(-16));
  });

  it('is nothing as long as there is no text', () => {
    const before = process.memoryUsage().arrayBuffers;
    const texts = new PackedTexts({ slabBytes: 2 ** 24, slabsMax: 64, bucketCount: 2 ** 20 });

    expect(texts.find('K1')).toBeUndefined();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
  });
});

describe('PackedTexts beside a list', () => {
  const anyKey = fc.integer({ min: 0, max: 30 }).map((at) => `K${at}`);
  const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string());
  const anyRoom = fc.record({
    slabBytes: fc.integer({ min: 192, max: 600 }),
    slabsMax: fc.integer({ min: 1, max: 6 }),
  });
  type Entry = { readonly key: string; readonly text: string; readonly slab: number };

  it('knows the same: the newest sixteen of a bucket, without those of slabs that began anew', () => {
    fc.assert(
      fc.property(
        anyRoom,
        fc.array(fc.tuple(anyKey, anyText), { maxLength: 120, size: 'max' }),
        (room, keeps) => {
          const texts = new PackedTexts({ ...room, bucketCount: 1 });
          let entries: readonly Entry[] = [];
          let [slab, filled] = [0, 0];
          for (const [at, [key, text]] of keeps.entries()) {
            texts.keep(key, { text, endsAtMs: at });
            const bytes = headBytes + Buffer.byteLength(`${key}\n${text}`);
            if (filled + bytes > room.slabBytes) [slab, filled] = [slab + 1, 0];
            filled += bytes;
            const others = entries.filter(
              (entry) => entry.key !== key && entry.slab > slab - room.slabsMax,
            );
            entries = [{ key, text, slab }, ...others].slice(0, 16);
          }

          const found = Array.from({ length: 31 }, (_, at) => texts.find(`K${at}`)?.text);
          const expected = new Map(entries.map(({ key, text }) => [key, text]));
          expect(found).toEqual(Array.from({ length: 31 }, (_, at) => expected.get(`K${at}`)));
        },
      ),
    );
  });

  it('finds every key by its hash, whatever it is', () => {
    const anyAscii = fc.stringMatching(/^[A-Z]{2}[0-9A-Z+*]{2,12}$/);
    fc.assert(
      fc.property(fc.uniqueArray(anyAscii, { maxLength: 60 }), anyAscii, (keys, stranger) => {
        const texts = new PackedTexts(wide);

        for (const key of keys) texts.keep(key, textOf(key));

        expect(keys.map((key) => texts.find(key)?.text)).toEqual(keys);
        expect(texts.find(stranger) !== undefined).toBe(keys.includes(stranger));
      }),
    );
  });
});
