import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../platform/database/database.ts';

/** A place in the event log: a reader has read every event up to this position. */
export type Cursor = {
  readonly position: number;
  /** The epoch that the position belongs to. */
  readonly epoch: string;
};

/** The epoch of positions before the first start that wrote one. */
export const firstEpoch = '000000000000';

const bytesOf = { position: 8, epoch: 6, signature: 10 } as const;
const signedBytes = bytesOf.position + bytesOf.epoch;

/**
 * Prints and parses cursors, as 32 characters of base64url: position, epoch and signature.
 *
 * The signature does not protect the position, which is no secret. It tells cursors of this service from those of
 * another one and from invented ones (rule E5).
 */
export class Cursors {
  readonly #secret: Buffer;

  constructor(secret: string) {
    this.#secret = Buffer.from(secret, 'hex');
  }

  print({ position, epoch }: Cursor): string {
    const signed = Buffer.alloc(signedBytes);
    signed.writeBigUInt64BE(BigInt(position));
    signed.write(epoch, bytesOf.position, 'hex');
    return Buffer.concat([signed, this.#sign(signed)]).toString('base64url');
  }

  /** Returns undefined for a text that `print` has not made. */
  parse(text: string): Cursor | undefined {
    if (!/^[A-Za-z0-9_-]{32}$/.test(text)) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const signed = bytes.subarray(0, signedBytes);
    if (!timingSafeEqual(bytes.subarray(signedBytes), this.#sign(signed))) return undefined;
    return {
      position: Number(signed.readBigUInt64BE()),
      epoch: signed.toString('hex', bytesOf.position),
    };
  }

  #sign(signed: Buffer): Buffer {
    const hmac = createHmac('sha256', this.#secret).update(signed);
    return hmac.digest().subarray(0, bytesOf.signature);
  }
}

/** Reads the secret of the log's cursors, which was made with the log and is part of each backup. */
export async function readCursors(db: Db): Promise<Cursors> {
  const log = db.selectFrom('event_log').select('secret');
  return new Cursors((await log.executeTakeFirstOrThrow()).secret);
}
