import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { Answer } from './answer.ts';
import { makePage, movedPage } from './error-pages.ts';

type Send = (response: ServerResponse, answer: Answer, dripMs: number) => Promise<void>;

/** Faults of the transport, the same for every upstream; `none` is an answer as it is. */
const senders = {
  none: sendWhole,
  html: whole(() => makePage(200, 'Maintenance', 'We will be back shortly.')),
  'unavailable-503': whole(() => makePage(503, '503', 'Service temporarily unavailable')),
  'forbidden-403': whole(() => makePage(403, '403', 'Request blocked')),
  // A SOAP service has printed a fault of its own already; the ECB answers with a page.
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
 * Resolves when the answer is sent or the connection is closed, and never rejects: a peer that hangs
 * up is the purpose of some faults. `hang`, `stall` and `drip` last until then; `drip` sends a byte
 * every `dripMs`.
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  fault: TransportFault,
  { dripMs = 50 } = {},
): Promise<void> {
  await senders[fault](response, answer, dripMs);
}

/** A fault that replaces or spoils an answer, which then arrives whole. */
function whole(spoil: (answer: Answer) => Answer): Send {
  return async (response, answer) => sendWhole(response, spoil(answer));
}

async function sendWhole(response: ServerResponse, answer: Answer): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  // Written before the end, so that an answer without a length is sent in chunks.
  if (answer.body !== undefined && answer.body.length > 0) response.write(answer.body);
  response.end();
  await closed(response);
}

/** Well-formed and longer than any limit: the answer with 128 MB of comments in it. */
async function sendOversized(response: ServerResponse, answer: Answer): Promise<void> {
  const whole = text(answer);
  const at = endOfLast(whole, whole.length);
  const repeated = Buffer.from(`<!-- ${'oversized '.repeat(6400)}-->`);
  response.writeHead(answer.status, withBody(answer, '', { sized: false }).headers);
  response.write(whole.slice(0, at));
  for (let sent = 0; sent < oversizedBytes && !response.destroyed; sent += repeated.length) {
    if (!response.write(repeated)) await drainedOrClosed(response);
  }
  response.end(whole.slice(at));
  await closed(response);
}

const oversizedBytes = 128 * 1024 * 1024;

/** A megabyte of gzip that decodes to a gigabyte: the answer around comments, well-formed. */
async function sendGzipBomb(response: ServerResponse, answer: Answer): Promise<void> {
  const whole = text(answer);
  const at = endOfLast(whole, whole.length);
  packedComment ??= gzipSync(`<!-- ${' '.repeat(16 * 1024 * 1024)} -->`);
  // Gzip allows any number of members in a row.
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

/** The headers and half of the body arrive immediately; then nothing does. */
async function stall(response: ServerResponse, answer: Answer): Promise<void> {
  const bytes = bodyBytes(answer);
  response.writeHead(answer.status, answer.headers);
  response.write(bytes.subarray(0, Math.trunc(bytes.length / 2)));
  await closed(response);
}

/** Sends no length, so that it never ends: after the last byte comes the first again. */
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
  await closed(response);
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
  await closed(response);
}

/**
 * Ends after a whole row or day, or after the validity of a VAT number: a lenient parser could accept
 * this half as a whole answer.
 */
function firstHalf(answer: Answer): string {
  const whole = text(answer);
  const validity = /<\/(?:\w+:)?(?:valid|faultstring)>/.exec(whole);
  if (validity !== null) return whole.slice(0, validity.index + validity[0].length);
  return whole.slice(0, endOfLast(whole, whole.length / 2));
}

/** The position after the last row or day that ends before another position. */
function endOfLast(whole: string, before: number): number {
  for (const end of ['</vatRateResults>', '</Cube>\n', '/>']) {
    const at = whole.lastIndexOf(end, before);
    if (at !== -1) return at + end.length;
  }
  return Math.trunc(before);
}

/** One byte of Latin-1, an é, in a body that is declared as UTF-8. */
function withStrayByte(answer: Answer): Uint8Array {
  const whole = text(answer);
  const at = whole.search(/<\/(?:\w+:)?(?:comment|name|faultstring)>/);
  return Buffer.concat([
    Buffer.from(whole.slice(0, at)),
    Buffer.from([0xe9]),
    Buffer.from(whole.slice(at)),
  ]);
}

/** An entity that expands to a gigabyte, before an answer that is otherwise correct. */
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

async function closed(response: ServerResponse): Promise<void> {
  if (response.closed || response.destroyed) return;
  await new Promise<void>((resolve) => response.once('close', resolve));
}

async function drainedOrClosed(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
