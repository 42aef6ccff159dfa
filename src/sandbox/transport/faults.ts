import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { Answer } from './answer.ts';
import { makePage, movedPage } from './error-pages.ts';

/** What can go wrong on the way, with any upstream. */
export const transportFaults = [
  'none',
  'html',
  'unavailable-503',
  'forbidden-403',
  'server-fault',
  'redirect',
  'empty-404',
  'empty-200',
  'truncated',
  'stray-byte',
  'not-utf8',
  'doctype',
  'oversized',
  'gzip-bomb',
  'hang',
  'stall',
  'drip',
  'reset',
] as const;

export type TransportFault = (typeof transportFaults)[number];

/**
 * Sends an answer the way a fault of the transport would let it arrive.
 *
 * Resolves when the answer is out or the connection is gone, and never rejects: that the other side
 * hangs up is what some of these are for. `hang`, `stall` and `drip` last until it does; a drip is a byte every
 * `dripMs`.
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  fault: TransportFault,
  { dripMs = 50 } = {},
): Promise<void> {
  switch (fault) {
    case 'none':
      return sendWhole(response, answer);
    case 'html':
      return sendWhole(response, makePage(200, 'Maintenance', 'We will be back shortly.'));
    case 'unavailable-503':
      return sendWhole(response, makePage(503, '503', 'Service temporarily unavailable'));
    case 'forbidden-403':
      return sendWhole(response, makePage(403, '403', 'Request blocked'));
    case 'server-fault':
      // A SOAP service has a fault of its own; whoever has none answers with a page.
      return sendWhole(
        response,
        answer.status === 500 ? answer : makePage(500, '500', 'Internal server error'),
      );
    case 'redirect':
      return sendWhole(response, movedPage);
    case 'empty-404':
      return sendWhole(response, { status: 404, headers: { 'Content-Length': '0' } });
    case 'empty-200':
      return sendWhole(response, withBody(answer, ''));
    case 'truncated':
      return sendWhole(response, withBody(answer, firstHalf(answer)));
    case 'stray-byte':
      return sendWhole(response, withBody(answer, withStrayByte(answer)));
    case 'not-utf8':
      return sendWhole(response, withBody(answer, Buffer.from(text(answer), 'utf16le')));
    case 'doctype':
      return sendWhole(response, withBody(answer, withDoctype(answer)));
    case 'oversized':
      return sendOversized(response, answer);
    case 'gzip-bomb':
      return sendGzipBomb(response, answer);
    case 'hang':
      return gone(response);
    case 'stall':
      return stall(response, answer);
    case 'drip':
      return drip(response, answer, dripMs);
    case 'reset':
      return resetHalfway(response, answer);
  }
}

async function sendWhole(response: ServerResponse, answer: Answer): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  // Written before the end, so that an answer without a length goes out in chunks.
  if (answer.body !== undefined && answer.body.length > 0) response.write(answer.body);
  response.end();
  await gone(response);
}

/** Well-formed and far longer than any cap: the answer, then comments until the other side hangs up. */
async function sendOversized(response: ServerResponse, answer: Answer): Promise<void> {
  const whole = text(answer);
  const at = seam(whole, whole.length);
  const repeated = Buffer.from(`<!-- ${'oversized '.repeat(6400)}-->`);
  response.writeHead(answer.status, withBody(answer, '', { sized: false }).headers);
  response.write(whole.slice(0, at));
  for (let sent = 0; sent < oversizedBytes && !response.destroyed; sent += repeated.length) {
    if (!response.write(repeated)) await drainedOrGone(response);
  }
  response.end(whole.slice(at));
  await gone(response);
}

const oversizedBytes = 128 * 1024 * 1024;

/** A megabyte on the wire that is a gigabyte once decoded: the answer around comments, well-formed. */
async function sendGzipBomb(response: ServerResponse, answer: Answer): Promise<void> {
  const whole = text(answer);
  const at = seam(whole, whole.length);
  packedComment ??= gzipSync(`<!-- ${' '.repeat(16 * 1024 * 1024)} -->`);
  // Gzip allows any number of members, one behind the other.
  const members = [
    gzipSync(whole.slice(0, at)),
    ...Array.from({ length: 64 }, () => packedComment ?? ''),
    gzipSync(whole.slice(at)),
  ].map((member) => Buffer.from(member));
  const { status, headers, body } = withBody(answer, Buffer.concat(members));
  await sendWhole(response, {
    status,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    ...(body === undefined ? {} : { body }),
  });
}

let packedComment: Buffer | undefined;

/** Headers and half of the body arrive at once, and then nothing. */
async function stall(response: ServerResponse, answer: Answer): Promise<void> {
  const bytes = bodyBytes(answer);
  response.writeHead(answer.status, answer.headers);
  response.write(bytes.subarray(0, Math.trunc(bytes.length / 2)));
  await gone(response);
}

/** Without a length, so that it never ends: behind the last byte comes the first again. */
async function drip(response: ServerResponse, answer: Answer, everyMs: number): Promise<void> {
  const bytes = bodyBytes(answer);
  response.writeHead(answer.status, withBody(answer, '', { sized: false }).headers);
  let sent = 0;
  const sendNext = () => {
    response.write(bytes.subarray(sent, sent + 1));
    sent = (sent + 1) % Math.max(1, bytes.length);
  };
  sendNext();
  const timer = setInterval(sendNext, everyMs);
  await gone(response);
  clearInterval(timer);
}

async function resetHalfway(response: ServerResponse, answer: Answer): Promise<void> {
  const bytes = bodyBytes(answer);
  response.writeHead(answer.status, {
    ...answer.headers,
    'Content-Length': String(bytes.length),
  });
  response.write(bytes.subarray(0, Math.trunc(bytes.length / 2)), () => {
    response.socket?.resetAndDestroy();
  });
  await gone(response);
}

/**
 * Ends right behind a whole row or day, or behind the verdict on a VAT number: what is there is
 * well-formed and could be taken for enough.
 */
function firstHalf(answer: Answer): string {
  const whole = text(answer);
  const verdict = /<\/(?:\w+:)?(?:valid|faultstring)>/.exec(whole);
  if (verdict !== null) return whole.slice(0, verdict.index + verdict[0].length);
  return whole.slice(0, seam(whole, whole.length / 2));
}

/** The place behind the last complete row or day before a position. */
function seam(whole: string, before: number): number {
  for (const end of ['</vatRateResults>', '</Cube>\n', '/>']) {
    const at = whole.lastIndexOf(end, before);
    if (at !== -1) return at + end.length;
  }
  return Math.trunc(before);
}

/** One byte of Latin-1, an é, in a body that calls itself UTF-8. */
function withStrayByte(answer: Answer): Uint8Array {
  const whole = text(answer);
  const at = whole.search(/<\/(?:\w+:)?(?:comment|name|faultstring)>/);
  return Buffer.concat([
    Buffer.from(whole.slice(0, at)),
    Buffer.from([0xe9]),
    Buffer.from(whole.slice(at)),
  ]);
}

/** An entity that grows to a gigabyte when it is expanded, before an answer that is otherwise right. */
function withDoctype(answer: Answer): string {
  const entities = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
  );
  const doctype = `<!DOCTYPE answer [<!ENTITY e0 "laughter">${entities.join('')}]>`;
  const whole = text(answer);
  const declaration = /^<\?xml[^>]*>\s*/.exec(whole)?.[0] ?? '';
  return `${declaration}${doctype}${whole.slice(declaration.length)}`;
}

function withBody(answer: Answer, body: string | Uint8Array, { sized = true } = {}): Answer {
  const length = 'Content-Length';
  const headers = Object.entries(answer.headers).filter(([name]) => name !== length);
  const had = length in answer.headers && sized;
  return {
    status: answer.status,
    headers: {
      ...Object.fromEntries(headers),
      ...(had ? { [length]: String(Buffer.byteLength(body)) } : {}),
    },
    body,
  };
}

function text(answer: Answer): string {
  return bodyBytes(answer).toString();
}

function bodyBytes(answer: Answer): Buffer {
  return Buffer.from(answer.body ?? '');
}

async function gone(response: ServerResponse): Promise<void> {
  if (response.closed || response.destroyed) return;
  await new Promise<void>((resolve) => response.once('close', resolve));
}

async function drainedOrGone(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
