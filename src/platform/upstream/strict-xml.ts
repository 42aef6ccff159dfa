import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { quote } from '../values/quote.ts';
import type { ExchangeAnswer } from './exchange.ts';
import { UpstreamError } from './upstream-error.ts';
import { LenientDecoder, StrictDecoder } from './text-decoders.ts';
import { ShapeReader, type XmlNode, type XmlRemarks, type XmlShape } from './xml-shape.ts';

/** The limits of a document; real answers stay far below. */
const limits = { depth: 24, textChars: 262_144 } as const;
/** The bytes after which other work of the process gets its turn of the event loop: about 2 ms of parsing. */
const bytesPerTurn = 32_768;
const endedEarly = 'the answer ended before its document did';

/**
 * Reads an answer as it arrives, against a shape, and returns its document and the SHA-256 of its bytes.
 *
 * Strict on purpose: a document that is cut, is not UTF-8, has a DOCTYPE or anything after its end is an
 * error, because a lenient parser takes half an answer for a whole one. Only where the shape is `lenient` or `open` does it
 * pass, and the remarks say what (rule G10a). Throws `UpstreamError`.
 */
export async function readXml(
  answer: ExchangeAnswer,
  shape: XmlShape,
  onEach: (node: XmlNode) => void = () => {},
): Promise<{ readonly document: XmlNode; readonly digest: string; readonly remarks: XmlRemarks }> {
  const { at } = answer;
  const lenient = isLenient(shape) ? new LenientDecoder() : undefined;
  const decoder = lenient ?? new StrictDecoder(at);
  const refuse = (detail: string): never => {
    throw new UpstreamError('schema', at, detail);
  };
  const reader = new ShapeReader(shape, onEach, refuse, lenient);
  const parser = createParser(reader, at);
  const digest = createHash('sha256');
  let bytes = 0;

  // Of UTF-16 the parser says only that it is malformed, so the unreadable characters are the reason.
  const parse = (text: string): void => {
    try {
      parser.write(text);
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'malformed') refuseUnreadable(error);
      throw error;
    }
  };
  const refuseUnreadable = (cause?: unknown): void => {
    if (lenient === undefined || lenient.count === 0) return;
    const detail = 'a byte that is not UTF-8, or a control character, where no text may have one';
    throw new UpstreamError('encoding', at, detail, { cause });
  };
  for await (const chunk of inTurns(answer.chunks)) {
    digest.update(chunk);
    parse(decoder.decode(chunk));
    bytes += chunk.length;
  }
  if (bytes === 0) throw new UpstreamError('empty', at, `HTTP ${at.status} without a body`);
  parse(decoder.decode(undefined));
  parser.end();
  refuseUnreadable();
  const { document, remarks } = reader;
  return { document, digest: digest.digest('hex'), remarks };
}

function isLenient({ lenient, children = [] }: XmlShape): boolean {
  return lenient === true || children.some(isLenient);
}

/**
 * Splits chunks into parts of `bytesPerTurn`, each for a turn of its own. A connection has several chunks ready at a
 * time, and iterating over them does not return to the event loop in between.
 */
async function* inTurns(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytesOfTurn = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += bytesPerTurn) {
      const part = chunk.subarray(from, from + bytesPerTurn);
      if (bytesOfTurn + part.length > bytesPerTurn) {
        await setImmediate();
        bytesOfTurn = 0;
      }
      bytesOfTurn += part.length;
      yield part;
    }
  }
}

function createParser(reader: ShapeReader, at: ExchangeAnswer['at']) {
  const texts: string[] = [];
  let ending = false;
  // The parser keeps a text, a comment or a tag until it ends: one without an end would fill the memory. Comments and
  // instructions between two tags count together.
  let unendedChars = 0;
  const ended = (): void => {
    unendedChars = 0;
  };
  const refuse = (kind: 'schema' | 'malformed' | 'html' | 'encoding', detail: string): never => {
    throw new UpstreamError(kind, at, detail);
  };
  const addText = (text: string): void => {
    ended();
    const top = texts.length - 1;
    if (top < 0) return;
    const sum = (texts[top] ?? '') + text;
    if (sum.length > limits.textChars) {
      refuse('schema', `a text of over ${limits.textChars} characters`);
    }
    texts[top] = sum;
  };

  const checkRoot = (name: string, encoding: string | undefined): void => {
    if (name.toLowerCase() === 'html') refuse('html', 'an HTML page instead of data');
    if (encoding !== undefined && encoding.toUpperCase() !== 'UTF-8') {
      refuse('encoding', `the document says that it is ${quote(encoding)}, expected UTF-8`);
    }
  };

  // At most six handlers: `on` adds a property each, and V8 turns an object with more of them into a dictionary,
  // with which parsing takes three times as long. So comments and instructions have no handler, and the XML
  // declaration is checked with the root.
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (cause) => {
    if (ending) throw new UpstreamError('truncated', at, endedEarly, { cause });
    const detail = `not well-formed XML at ${quote(cause.message.replace(/\.$/, ''))}`;
    throw new UpstreamError('malformed', at, detail, { cause });
  });
  parser.on('doctype', (doctype) => {
    if (/^\s*html\b/i.test(doctype)) refuse('html', 'an HTML page instead of data');
    refuse('malformed', 'a DOCTYPE, which no real answer has');
  });
  parser.on('opentag', (tag) => {
    ended();
    if (texts.length === 0) checkRoot(tag.local, parser.xmlDecl.encoding);
    if (texts.length >= limits.depth) refuse('schema', `nested deeper than ${limits.depth}`);
    texts.push('');
    reader.open(tag);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    ended();
    reader.close(texts.pop() ?? '');
  });

  return {
    write: (text: string): void => {
      unendedChars += text.length;
      parser.write(text);
      if (unendedChars > limits.textChars) {
        refuse('schema', `over ${limits.textChars} characters without a tag`);
      }
    },
    /** An error that appears only at the end means that the answer was cut. */
    end: (): void => {
      ending = true;
      parser.close();
    },
  };
}
