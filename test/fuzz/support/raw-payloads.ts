import type { RawPayload } from '../../support/raw-payloads.ts';
import { auth, host } from '../../support/raw-requests.ts';

/** A request that must not be answered: no other request here has this path and a good key. */
export const smuggled = `GET /smuggled HTTP/1.1\r\n${host}${auth}\r\n`;

/** Header lines about the length that a proxy might read in another way. */
const lengths: readonly string[] = [
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: 0\r\nContent-Length: 5',
  'Content-Length: 5\r\nContent-Length: 0',
  'Content-Length: 0, 5',
  'Content-Length: 00',
  'Content-Length: +0',
  'Content-Length: 0x0',
  'Content-Length: 1e1',
  'Content-Length: -0',
  'Content-Length: 0;5',
  'Content-Length : 0',
  'Content-Length\t: 0',
  ' Content-Length: 0',
  'X: y\r\n Content-Length: 0',
  'Content-Length: 0\r\n 5',
  'Content-Length: 0\0',
  'X: y\nContent-Length: 0',
  'X: y\rContent-Length: 0',
  'X: y\x0bContent-Length: 0',
];
const codings: readonly string[] = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunkedx',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked;x',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: ,chunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding:\x0cchunked',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding\x0b: chunked',
  ' Transfer-Encoding: chunked',
  'X: y\r\n Transfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\r\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: \xa0chunked',
  'Transfer-Encoding: chun\0ked',
  '\x01Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked\0',
];
const chunks: readonly string[] = [
  '0\n\n',
  '0;x\n\r\n\r\n',
  '0 \r\n\r\n',
  '0x0\r\n\r\n',
  '-0\r\n\r\n',
  '5\r\nhell\r\n0\r\n\r\n',
  '5\r\nhellooo\r\n0\r\n\r\n',
  '1_0\r\n\r\n',
  '0\r\nContent-Length: 5\r\n\r\n',
  '0\r\nTransfer-Encoding: chunked\r\n\r\n',
  'ffffffffffffffff\r\n',
  '100000000\r\n',
];

/**
 * Requests with two header lines about their length that readers interpret in different ways, or with a
 * malformed one. A request that must not be answered follows each.
 */
export const smugglers: readonly RawPayload[] = [
  ...lengths.flatMap((length) => codings.map((coding) => [length, coding])),
  ...lengths.flatMap((length) => codings.slice(0, 6).map((coding) => [coding, length])),
].map((lines) => [
  lines.join(' | '),
  `POST /rates HTTP/1.1\r\n${host}${auth}${lines.join('\r\n')}\r\n\r\n0\r\n\r\n${smuggled}`,
]);

/** Malformed chunks, before a request that would be read only by mistake. */
export const brokenChunks: readonly RawPayload[] = chunks.map((chunk) => [
  `the chunk ${chunk}`,
  `GET /rates HTTP/1.1\r\n${host}${auth}Transfer-Encoding: chunked\r\n\r\n${chunk}${smuggled}`,
]);
