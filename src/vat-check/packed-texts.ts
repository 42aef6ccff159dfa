/** What stands before each text: the moment when it ends, and how many bytes it has with its key. */
const headBytes = 12;
const lineFeed = 0x0a;
/** Of a million texts in 262,144 buckets one or two at most find theirs full. */
const placesInBucket = 16;

/** A text and the moment at which it ends. */
export type PackedText = { readonly text: string; readonly endsAtMs: number };

/** How much may be kept. The index takes 64 bytes for each bucket; their count is a power of two. */
export type PackedRoom = {
  readonly slabBytes: number;
  readonly slabsMax: number;
  readonly bucketCount: number;
};

type Slab = { readonly bytes: Buffer; filled: number };

/**
 * Keeps many short texts by their keys as bytes, where the garbage collector has nothing to look at.
 *
 * Texts are written one after the other into slabs, which are allocated as they are needed. When all are full
 * the oldest begins anew: memory is bounded whatever the texts are, and since nothing grows or moves there is
 * no long pause.
 *
 * The index has buckets of places. A place holds the position of a text, or 0; the newest stands first. A text
 * that was replaced stays in its slab, without a place. Where a bucket is full its oldest text is forgotten, so
 * keys that were chosen to collide cost others nothing.
 */
export class PackedTexts {
  readonly #room: PackedRoom;
  readonly #slabs: Slab[] = [];
  /** Which slab is written to. */
  #newest = -1;
  /** Made with the first text: an empty one costs nothing. */
  #index = new Uint32Array();

  constructor(room: PackedRoom) {
    this.#room = room;
  }

  /** The text of a key, ended or not; undefined when there is none. */
  find(key: string): PackedText | undefined {
    const place = this.#findPlace(key, this.#bucketOf(key));
    if (place === undefined) return undefined;
    const { bytes, at } = this.#locate(this.#index[place] ?? 0);
    const textAt = at + headBytes + key.length + 1;
    return {
      text: bytes.toString('utf8', textAt, at + headBytes + bytes.readUInt32LE(at + 8)),
      endsAtMs: bytes.readDoubleLE(at),
    };
  }

  /** Keeps a text for a key of ASCII, instead of its last one. One that no slab can take is not kept. */
  keep(key: string, { text, endsAtMs }: PackedText): void {
    const lines = `${key}\n${text}`;
    const length = Buffer.byteLength(lines);
    // The last one must not outlive it all the same.
    if (headBytes + length > this.#room.slabBytes) {
      this.keep(key, { text: '', endsAtMs: -Infinity });
      return;
    }
    const position = this.#reserve(headBytes + length);
    const { bytes, at } = this.#locate(position);
    bytes.writeDoubleLE(endsAtMs, at);
    bytes.writeUInt32LE(length, at + 8);
    bytes.write(lines, at + headBytes, 'utf8');

    const bucket = this.#bucketOf(key);
    const end = this.#findPlace(key, bucket) ?? bucket + placesInBucket - 1;
    this.#index.copyWithin(bucket + 1, bucket, end);
    this.#index[bucket] = position;
  }

  /** The position of so many bytes behind the newest text. */
  #reserve(length: number): number {
    const { slabBytes, slabsMax, bucketCount } = this.#room;
    if (this.#index.length === 0) this.#index = new Uint32Array(bucketCount * placesInBucket);
    let slab = this.#slabs[this.#newest];
    if (slab === undefined || slab.filled + length > slabBytes) {
      this.#newest = (this.#newest + 1) % slabsMax;
      this.#forget(this.#newest);
      slab = this.#slabs[this.#newest] ??= { bytes: Buffer.alloc(slabBytes), filled: 0 };
    }
    const position = this.#newest * slabBytes + slab.filled + 1;
    slab.filled += length;
    return position;
  }

  /**
   * Takes the texts of a slab out of the index, the oldest first. It is the oldest slab, so each stands last in
   * its bucket, and none behind a place that is empty.
   */
  #forget(slabAt: number): void {
    const slab = this.#slabs[slabAt];
    if (slab === undefined) return;
    const { bytes, filled } = slab;
    for (let at = 0; at < filled; at += headBytes + bytes.readUInt32LE(at + 8)) {
      const keyAt = at + headBytes;
      const key = bytes.toString('latin1', keyAt, bytes.indexOf(lineFeed, keyAt));
      const bucket = this.#bucketOf(key);
      const position = slabAt * this.#room.slabBytes + at + 1;
      const place = this.#index.subarray(bucket, bucket + placesInBucket).indexOf(position);
      if (place !== -1) this.#index[bucket + place] = 0;
    }
    slab.filled = 0;
  }

  #findPlace(key: string, bucket: number): number | undefined {
    for (let place = bucket; place < bucket + placesInBucket; place += 1) {
      const position = this.#index[place] ?? 0;
      if (position === 0) return undefined;
      const { bytes, at } = this.#locate(position);
      if (hasKey(bytes, at + headBytes, key)) return place;
    }
    return undefined;
  }

  #locate(position: number): { readonly bytes: Buffer; readonly at: number } {
    const { slabBytes } = this.#room;
    const slab = this.#slabs[Math.floor((position - 1) / slabBytes)];
    if (slab === undefined) throw new Error(`no text at ${position}`);
    return { bytes: slab.bytes, at: (position - 1) % slabBytes };
  }

  /** FNV-1a, with the upper bits folded into those that are used. */
  #bucketOf(key: string): number {
    let hash = 0x811c9dc5;
    for (let at = 0; at < key.length; at += 1) {
      hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
    }
    return ((hash ^ (hash >>> 15)) & (this.#room.bucketCount - 1)) * placesInBucket;
  }
}

function hasKey(bytes: Buffer, keyAt: number, key: string): boolean {
  for (let at = 0; at < key.length; at += 1) {
    if (bytes[keyAt + at] !== key.charCodeAt(at)) return false;
  }
  return bytes[keyAt + key.length] === lineFeed;
}
