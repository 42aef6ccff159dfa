import type { Readable } from 'node:stream';
import type { ReceiverHeaders } from '../subscriptions/receiver-headers.ts';
import type { Attempt } from './delivery.ts';
import { hideValues, pieceMax } from './hide-values.ts';

/** Bytes of an answer that are read, so that the connection can be used again. */
export const answerBytesMax = 16_384;
/** Bytes of an answer that are kept as text, and of its `Location`. */
export const keptBytesMax = 1_024;

/** An answer that refuses a delivery, before its body is read. */
export type Refusal = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
};

/**
 * Reads an answer that refuses, and returns what is kept of it: text from its first {@link keptBytesMax} bytes, and the
 * `Location` of a redirect.
 *
 * The text is decoded by the declared charset, or as UTF-8; control characters are blanks, bytes that are no text U+FFFD.
 * The values of the delivery's own headers and signing secrets, which a receiver may repeat, are `***` in it. A body with a
 * content coding is no text, and is not kept. Never rejects: what came before the connection broke is kept.
 */
export async function keepAnswer(
  { statusCode, headers, body }: Refusal,
  sent: ReceiverHeaders,
): Promise<Pick<Attempt, 'answer' | 'location'>> {
  const bytes = await readStart(body);
  const [type, coding, location] = ['content-type', 'content-encoding', 'location'].map(
    (name) => [headers[name]].flat()[0],
  );
  const isText = coding === undefined || coding.trim().toLowerCase() === 'identity';
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return {
    answer: isText ? toText(bytes, charsetOf(type, bytes), sent) : undefined,
    location:
      isRedirect && location !== undefined
        ? toText(Buffer.from(location, 'latin1'), 'utf-8', sent)
        : undefined,
  };
}

async function readStart(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= answerBytesMax) break;
    }
  } catch {
    // The status has decided already.
  }
  return Buffer.concat(chunks);
}

/** The declared charset of an answer; a byte order mark of UTF-16 comes before it (WHATWG Encoding, decode). */
function charsetOf(type = '', bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe') return 'utf-16le';
  if (mark === 'feff') return 'utf-16be';
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? 'utf-8';
}

/** Text from the start of these bytes, without half a character at its end. */
function toText(bytes: Buffer, charset: string, sent: ReceiverHeaders): string {
  // One blank for each, so that places in the text stay the same.
  const read = bytes.subarray(0, keptBytesMax + 4 * pieceMax);
  const text = decode(read, charset).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ');
  const keptLength =
    bytes.length > keptBytesMax
      ? decode(bytes.subarray(0, keptBytesMax), charset, { stream: true }).length
      : text.length;
  return hideValues(text, keptLength, sent);
}

/**
 * Decodes by a charset, or by UTF-8 if it is not known; with `stream` up to the last whole character. NULs are left out: they
 * stand between the letters of a text in UTF-16 that does not say so, and would hide a value from `hideValues`.
 */
function decode(
  bytes: Buffer,
  charset: string,
  options: { readonly stream?: boolean } = {},
): string {
  try {
    return new TextDecoder(charset).decode(bytes, options).replaceAll('\0', '');
  } catch {
    return decode(bytes, 'utf-8', options);
  }
}
