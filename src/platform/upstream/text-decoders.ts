import type { ExchangeAnswer } from './exchange.ts';
import { UpstreamError } from './upstream-error.ts';

/** Decodes the chunks of a document; undefined ends it. */
export interface DocumentDecoder {
  decode(chunk: Uint8Array | undefined): string;
}

/** Decodes a document that must be UTF-8. Throws `UpstreamError`. */
export class StrictDecoder implements DocumentDecoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #at: ExchangeAnswer['at'];
  #bytes = 0;

  constructor(at: ExchangeAnswer['at']) {
    this.#at = at;
  }

  decode(chunk: Uint8Array | undefined): string {
    try {
      const text =
        chunk === undefined
          ? this.#decoder.decode()
          : this.#decoder.decode(chunk, { stream: true });
      this.#bytes += chunk?.length ?? 0;
      return text;
    } catch (cause) {
      const detail = `a byte that is not UTF-8, after byte ${this.#bytes}`;
      throw new UpstreamError('encoding', this.#at, detail, { cause });
    }
  }
}

/** Stands for a control character that XML forbids, until the text it is in is known; a private character of Unicode. */
const controlMark = '\u{F8FF}';

/** Control characters that XML 1.0 forbids, as characters and as references: `&#11;`, `&#xB;`. */
const forbidden =
  // oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
  /[\u{0}-\u{8}\u{b}\u{c}\u{e}-\u{1f}]|&#(?:x0*(?:[0-8bcefBCEF]|1[0-9a-fA-F])|0*(?:[0-8]|1[124-9]|2[0-9]|3[01]));/gu;

/** A reference that a chunk may have cut. */
const begunReference = /&[#0-9a-zA-Z]{0,10}$/;

/** Characters that stand for something unreadable. U+FFFD may also be a character of the document itself. */
const marks = /[\u{FFFD}\u{F8FF}]/gu;

/**
 * Decodes a document that may have unreadable characters where its shape is `lenient` (rule G10a).
 *
 * A byte that is not UTF-8 becomes U+FFFD, and a control character a mark, because the parser must not stop before it is
 * known in which element they stand. `forgive` counts those that stand where they may; `count` must then be 0 at the end.
 */
export class LenientDecoder implements DocumentDecoder {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #count = 0;

  /** The unreadable characters that have not been forgiven. */
  get count(): number {
    return this.#count;
  }

  decode(chunk: Uint8Array | undefined): string {
    const text =
      this.#rest +
      (chunk === undefined
        ? this.#decoder.decode()
        : this.#decoder.decode(chunk, { stream: true }));
    const end = chunk === undefined ? -1 : text.search(begunReference);
    this.#rest = end < 0 ? '' : text.slice(end);
    const plain = (end < 0 ? text : text.slice(0, end)).replaceAll(forbidden, controlMark);
    this.#count += countMarks(plain);
    return plain;
  }

  /** The text of a lenient element: control characters are blanks in it. Returns how many of its characters are unreadable. */
  forgive(text: string): { readonly text: string; readonly unreadable: number } {
    const marked = countMarks(text);
    this.#count -= marked;
    let controls = 0;
    const plain = text.replaceAll(/[\u{F8FF}\u{7F}-\u{9F}]/gu, (character) => {
      if (character !== controlMark) controls += 1;
      return ' ';
    });
    return { text: plain, unreadable: marked + controls };
  }
}

function countMarks(text: string): number {
  return text.match(marks)?.length ?? 0;
}
