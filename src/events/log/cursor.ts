import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../platform/database/database.ts';

/** A place in the event log: a reader has read every event up to this position. */
export type Cursor = {
  readonly position: number;
  /** The epoch that the position belongs to. */
  readonly epoch: string;
};

/** The epoch of positions before the first start that wrote one. */
export const firstEpoch = '000000000000';

const bytesOf = { position: 8, epoch: 6, tag: 10 } as const;
const placeBytes = bytesOf.position + bytesOf.epoch;

/**
 * Prints and parses cursors, as 32 characters of base64url: 14 masked bytes of position and epoch, and their tag.
 *
 * The tag distinguishes cursors of this service from those of another one and from invented ones (rule E5), and the mask is made
 * from it (a synthetic IV, as in RFC 5297): equal places have equal cursors, and two cursors do not say how many events
 * of other keys are between them. Cursors of 0.2, which have no mask, are parsed as well.
 */
export class Cursors {
  readonly #secret: Buffer;

  constructor(secret: string) {
    this.#secret = Buffer.from(secret, 'hex');
  }

  print({ position, epoch }: Cursor): string {
    const place = Buffer.alloc(placeBytes);
    place.writeBigUInt64BE(BigInt(position));
    place.write(epoch, bytesOf.position, 'hex');
    const tag = this.#digest('cursor tag', place, bytesOf.tag);
    return Buffer.concat([this.#mask(place, tag), tag]).toString('base64url');
  }

  /** Returns undefined for a text that `print` has not made. */
  parse(text: string): Cursor | undefined {
    if (!/^[A-Za-z0-9_-]{32}$/.test(text)) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const written = bytes.subarray(0, placeBytes);
    const tag = bytes.subarray(placeBytes);
    const place = this.#mask(written, tag);
    if (timingSafeEqual(tag, this.#digest('cursor tag', place, bytesOf.tag)))
      return toCursor(place);
    const isEarlier = timingSafeEqual(tag, this.#digest('', written, bytesOf.tag));
    return isEarlier ? toCursor(written) : undefined;
  }

  /** Masks bytes, or removes their mask. */
  #mask(bytes: Buffer, tag: Buffer): Buffer {
    const mask = this.#digest('cursor mask', tag, placeBytes);
    return Buffer.from(bytes.map((byte, at) => byte ^ (mask[at] ?? 0)));
  }

  /** A use without a name is the signature of 0.2. The texts of the uses have different lengths, so none is that of another. */
  #digest(use: 'cursor tag' | 'cursor mask' | '', bytes: Buffer, length: number): Buffer {
    return createHmac('sha256', this.#secret)
      .update(use)
      .update(bytes)
      .digest()
      .subarray(0, length);
  }
}

function toCursor(place: Buffer): Cursor {
  return {
    position: Number(place.readBigUInt64BE()),
    epoch: place.toString('hex', bytesOf.position),
  };
}

/** Reads the secret of the log's cursors, which was made with the log and is part of each backup. */
export async function readCursors(db: Db): Promise<Cursors> {
  const log = db.selectFrom('event_log').select('secret');
  return new Cursors((await log.executeTakeFirstOrThrow()).secret);
}
