import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';

import type { Answer } from './answer.ts';
import { makePage, movedPage } from './error-pages.ts';

type Send = (response: ServerResponse, answer: Answer, dripMs: number) => Promise<void>;

/** How each fault of the transport sends an answer, the same for every upstream; `none` is no fault. */
const senders = {
  none: sendWhole,
  html: whole(() => makePage(200, 'Maintenance', 'We will be back shortly.')),
  'unavailable-503': whole(() => makePage(503, '503', 'Service temporarily unavailable')),
  'forbidden-403': whole(() => makePage(403, '403', 'Request blocked')),
  'too-many-429': whole(() => makePage(429, '429', 'Too many requests', { 'Retry-After': '120' })),
  // The SOAP services have already replaced the answer by a SOAP fault; the ECB answers with a page.
  'server-fault': whole((answer) =>
    answer.status === 500 ? answer : makePage(500, '500', 'Internal server error'),
  ),
  redirect: whole(() => movedPage),
  'empty-404': whole(() => ({ status: 404, headers: { 'Content-Length': '0' } })),
  'empty-200': whole((answer) => withBody(answer, '')),
  truncated: whole((answer) => withBody(answer, firstHalf(answer))),
  'stray-byte': whole((answer) => withBody(answer, withStrayByte(answer))),
  'not-utf8': whole((answer) => withBody(answer, Buffer.from(text(answer), 'utf16le'))),
  doctype: whole((answer) => withBody(answer, withDoctype(answer))),
  oversized: sendOversized,
  'gzip-bomb': sendGzipBomb,
  hang: closed,
  stall,
  drip,
  reset: resetHalfway,
} satisfies Record<string, Send>;

export type TransportFault = keyof typeof senders;

export const transportFaults = Object.keys(senders) as readonly TransportFault[];

/**
 * Sends an answer with a fault of the transport.
 *
 * Resolves when the answer is sent or the connection is closed, and never rejects: some faults are made
 * so that the peer hangs up. `hang`, `stall` and `drip` last until it does. `drip` sends a byte every
 * `dripMs`.
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  fault: TransportFault,
  { dripMs = 50 } = {},
): Promise<void> {
  await senders[fault](response, answer, dripMs);
}

/** A fault that replaces or changes an answer, and sends the result completely. */
function whole(change: (answer: Answer) => Answer): Send {
  return async (response, answer) => sendWhole(response, change(answer));
}

async function sendWhole(response: ServerResponse, answer: Answer): Promise<void> {
  // The head is written first, so that an answer without a length is sent in chunks.
  response.writeHead(answer.status, answer.headers).end(answer.body);
  await closed(response);
}

async function sendOversized(response: ServerResponse, answer: Answer): Promise<void> {
  response.writeHead(answer.status, withoutLength(answer.headers));
  // Rejects if the peer hangs up.
  await pipeline(oversizedBody(answer), response).catch(() => {});
  await closed(response);
}

const oversizedBytes = 128 * 1024 * 1024;

/** The answer with 128 MB of comments in it: well-formed, and longer than any limit. */
function* oversizedBody(answer: Answer): Generator<string | Buffer> {
  const [start, end] = splitAfterLastElement(answer);
  const comment = Buffer.from(`<!-- ${'oversized '.repeat(6400)}-->`);
  yield start;
  for (let sent = 0; sent < oversizedBytes; sent += comment.length) yield comment;
  yield end;
}

/** A megabyte of gzip that decodes to a gigabyte of comments inside the answer, well-formed. */
async function sendGzipBomb(response: ServerResponse, answer: Answer): Promise<void> {
  const [start, end] = splitAfterLastElement(answer);
  const comment = gzipSync(`<!-- ${' '.repeat(16 * 1024 * 1024)} -->`);
  // A gzip stream may have any number of members.
  const members = [gzipSync(start), ...Array<Buffer>(64).fill(comment), gzipSync(end)];
  const headers = { ...answer.headers, 'Content-Encoding': 'gzip' };
  await sendWhole(response, withBody({ ...answer, headers }, Buffer.concat(members)));
}

/** Sends the headers and half of the body, then nothing more. */
async function stall(response: ServerResponse, answer: Answer): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  response.write(halfOf(bodyBytes(answer)));
  await closed(response);
}

/** Sends the body byte by byte and without end: the first byte follows the last. */
async function drip(response: ServerResponse, answer: Answer, everyMs: number): Promise<void> {
  const bytes = bodyBytes(answer);
  response.writeHead(answer.status, withoutLength(answer.headers));
  let sent = 0;
  const sendNext = () => {
    response.write(bytes.subarray(sent, sent + 1));
    sent = (sent + 1) % Math.max(1, bytes.length);
  };
  sendNext();
  const timer = setInterval(sendNext, everyMs);
  await closed(response);
  clearInterval(timer);
}

async function resetHalfway(response: ServerResponse, answer: Answer): Promise<void> {
  const bytes = bodyBytes(answer);
  response.writeHead(answer.status, { ...answer.headers, 'Content-Length': String(bytes.length) });
  response.write(halfOf(bytes), () => response.socket?.resetAndDestroy());
  await closed(response);
}

/**
 * The first half, up to the end of a row or day, or up to the validity of a VAT number: a lenient parser
 * could accept it as a complete answer.
 */
function firstHalf(answer: Answer): string {
  const body = text(answer);
  const validity = /<\/(?:\w+:)?(?:valid|faultstring)>/.exec(body);
  if (validity !== null) return body.slice(0, validity.index + validity[0].length);
  return body.slice(0, endOfLastElement(body, body.length / 2));
}

/** The answer up to the end of its last row or day, and its rest. */
function splitAfterLastElement(answer: Answer): readonly [start: string, end: string] {
  const body = text(answer);
  const at = endOfLastElement(body, body.length);
  return [body.slice(0, at), body.slice(at)];
}

/** The end of the last row or day before a position; the position itself if there is none. */
function endOfLastElement(body: string, before: number): number {
  for (const end of ['</vatRateResults>', '</Cube>\n', '/>']) {
    const at = body.lastIndexOf(end, before);
    if (at !== -1) return at + end.length;
  }
  return Math.trunc(before);
}

/** A body that is declared as UTF-8, with one byte of Latin-1 in it: an é. */
function withStrayByte(answer: Answer): Uint8Array {
  const body = text(answer);
  const at = body.search(/<\/(?:\w+:)?(?:comment|name|traderName|faultstring)>/);
  const [before, after] = [Buffer.from(body.slice(0, at)), Buffer.from(body.slice(at))];
  return Buffer.concat([before, Buffer.from([0xe9]), after]);
}

/** A correct answer after the declaration of an entity that expands to a gigabyte. */
function withDoctype(answer: Answer): string {
  const entities = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
  );
  const doctype = `<!DOCTYPE answer [<!ENTITY e0 "laughter">${entities.join('')}]>`;
  const body = text(answer);
  const declaration = /^<\?xml[^>]*>\s*/.exec(body)?.[0] ?? '';
  return `${declaration}${doctype}${body.slice(declaration.length)}`;
}

/** The answer with another body, and with its length if the answer had one. */
function withBody(answer: Answer, body: string | Uint8Array): Answer {
  const isSized = 'Content-Length' in answer.headers;
  const length = isSized ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
  return { ...answer, headers: { ...answer.headers, ...length }, body };
}

function withoutLength(headers: Answer['headers']): Answer['headers'] {
  const { 'Content-Length': _length, ...others } = headers;
  return others;
}

function text(answer: Answer): string {
  return bodyBytes(answer).toString();
}

function bodyBytes(answer: Answer): Buffer {
  return Buffer.from(answer.body ?? '');
}

function halfOf(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.trunc(bytes.length / 2));
}

async function closed(response: ServerResponse): Promise<void> {
  if (response.closed || response.destroyed) return;
  await new Promise<void>((resolve) => response.once('close', resolve));
}
