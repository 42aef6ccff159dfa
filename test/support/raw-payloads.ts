import { auth, chunked, good, head, host } from './raw-requests.ts';

/** Requests as bytes, by their oddity (reliability R24). */
export type RawPayload = readonly [what: string, payload: string];

const inner = `GET /nowhere HTTP/1.1\r\n${host}\r\n`;

/** Heads that cannot be read. */
export const unreadableHeads: readonly RawPayload[] = [
  ['two Host headers', `GET /rates HTTP/1.1\r\n${host}${host}${auth}\r\n`],
  ['two Host headers in HTTP/1.0', `GET /rates HTTP/1.0\r\n${host}${host}${auth}\r\n`],
  ['no Host header', `GET /rates HTTP/1.1\r\n${auth}\r\n`],
  ['no Host header but a host in the target', `GET http://x/rates HTTP/1.1\r\n${auth}\r\n`],
  ['HTTP/0.9', 'GET /rates\r\n\r\n'],
  ['HTTP/1.2', `GET /rates HTTP/1.2\r\n${host}${auth}\r\n`],
  ['HTTP/9.9', `GET /rates HTTP/9.9\r\n${host}${auth}\r\n`],
  ['no HTTP', `GET /rates FTP/1.1\r\n${host}${auth}\r\n`],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['garbage', 'hello\r\n\r\n'],
  ['NUL bytes', '\0\0\0\0\0\0\0\0\r\n\r\n'],
  ['a method in lower case', `get /rates HTTP/1.1\r\n${host}${auth}\r\n`],
  ['a method that does not exist', `BREW /rates HTTP/1.1\r\n${host}${auth}\r\n`],
  ['a blank before the method', ` ${good}`],
  ['tabs in the request line', `GET\t/rates\tHTTP/1.1\r\n${host}${auth}\r\n`],
  ['a target without a slash', `GET rates HTTP/1.1\r\n${host}${auth}\r\n`],
  ['a blank in the target', `GET /ra tes HTTP/1.1\r\n${host}${auth}\r\n`],
  ['a NUL in the target', `GET /ra\0tes HTTP/1.1\r\n${host}${auth}\r\n`],
  ['bytes beyond ASCII in the target', `GET /rates/\xff\xfe HTTP/1.1\r\n${host}${auth}\r\n`],
  ['CONNECT to another host', `CONNECT evil.example:443 HTTP/1.1\r\n${host}${auth}\r\n`],
  ['CONNECT to a path', `CONNECT /rates HTTP/1.1\r\n${host}${auth}\r\n`],
  ['CONNECT, and bytes behind it', `CONNECT x:443 HTTP/1.1\r\n${host}${auth}\r\n${good}`],
  ['line ends without CR', good.replaceAll('\r', '')],
  ['one line end without CR', `GET /rates HTTP/1.1\r\nHost: x\n${auth}\r\n`],
  ['a line end without LF', `GET /rates HTTP/1.1\r\nHost: x\rX: y\r\n${auth}\r\n`],
  ['a folded header', `${head}X: a\r\n b\r\n\r\n`],
  ['a folded key', `GET /rates HTTP/1.1\r\n${host}Authorization: Bearer\r\n {key}\r\n\r\n`],
  ['a folded first header', `GET /rates HTTP/1.1\r\n ${host}${auth}\r\n`],
  ['a NUL in a header', `${head}X: a\0b\r\n\r\n`],
  ['a NUL in a header name', `${head}X\0: ab\r\n\r\n`],
  ['a blank in a header name', `${head}X Y: z\r\n\r\n`],
  ['a blank before the colon', `${head}X : z\r\n\r\n`],
  ['a header without a colon', `${head}XY\r\n\r\n`],
  ['a header without a name', `${head}: z\r\n\r\n`],
];

/** Bodies without a defined end. */
export const smuggling: readonly RawPayload[] = [
  ['two lengths', `${head}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`],
  ['the same length twice', `${head}Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd`],
  ['a list of lengths', `${head}Content-Length: 4, 4\r\n\r\nabcd`],
  ['a length and chunks', `${chunked.replace(host, `${host}Content-Length: 4\r\n`)}0\r\n\r\n`],
  [
    'chunks and a length',
    `${chunked.replace('\r\n\r\n', '\r\nContent-Length: 4\r\n\r\n')}0\r\n\r\n`,
  ],
  ['a negative length', `${head}Content-Length: -1\r\n\r\n`],
  ['a signed length', `${head}Content-Length: +4\r\n\r\nabcd`],
  ['a hexadecimal length', `${head}Content-Length: 0x4\r\n\r\nabcd`],
  ['an empty length', `${head}Content-Length:\r\n\r\n`],
  ['a length beyond 64 bits', `${head}Content-Length: 99999999999999999999\r\n\r\n`],
  ['chunks that are not the last coding', `${head}Transfer-Encoding: chunked, gzip\r\n\r\n`],
  ['two codings', chunked.replace('\r\n\r\n', '\r\nTransfer-Encoding: identity\r\n\r\n')],
  ['a coding behind a vertical tab', `${head}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
  ['a blank before the colon of a coding', `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
];

/** Heads that are too large, and one with an expectation that cannot be met, each with its refusal. */
export const refusedHeads: readonly (readonly [
  what: string,
  status: number,
  error: string,
  payload: string,
])[] = [
  ['a target of 20,000 characters', 414, 'URL too long', longTarget(20_000)],
  ['a target of 200,000 characters', 414, 'URL too long', longTarget(200_000)],
  ['a header of 20,000', 431, 'header fields too large', `${head}X: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['3,000 headers', 431, 'header fields too large', `${head}${'a: b\r\n'.repeat(3_000)}\r\n`],
  ['3,000 empty headers', 431, 'header fields too large', `${head}${'a:\r\n'.repeat(3_000)}\r\n`],
  ['an odd Expect', 417, 'expectation failed', `${head}Expect: 200-ok\r\n\r\n`],
];

/** The same, without their refusals. */
export const tooLarge: readonly RawPayload[] = refusedHeads.map(([what, , , payload]) => [
  what,
  payload,
]);

/** Unusual but readable requests that leave their connection open, with the status of the answer. */
export const answeredInTurn: readonly (readonly [what: string, payload: string, status: number])[] =
  [
    [
      'a host of someone else in the target',
      good.replace('/rates', 'http://evil.example/rates'),
      200,
    ],
    ['a header of bytes beyond ASCII', `${head}X: \xff\xfe\r\n\r\n`, 200],
    ['headers named like the prototype', `${head}__proto__: x\r\nconstructor: y\r\n\r\n`, 200],
    ['900 headers', `${head}${'a:b\r\n'.repeat(900)}\r\n`, 200],
    ['empty lines before it', `\r\n\r\n${good}`, 200],
    ['a body on GET', `${head}Content-Length: 5\r\n\r\nhello`, 200],
    [
      'broken JSON on GET',
      `${head}Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{`,
      200,
    ],
    ['a request as a body', `${head}Content-Length: ${inner.length}\r\n\r\n${inner}`, 200],
    ['a large body on GET', `${head}Content-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`, 200],
    ['chunks on GET', `${chunked}5\r\nhello\r\n0\r\n\r\n`, 200],
    ['trailers', `${chunked}0\r\nX: y\r\n\r\n`, 200],
    ['another method in a header', `${head}X-HTTP-Method-Override: DELETE\r\n\r\n`, 200],
    ['a key after 800 headers', `${head.replace(auth, 'a:b\r\n'.repeat(800))}${auth}\r\n`, 200],
    ['two keys, 800 headers apart', `${head}${'a:b\r\n'.repeat(800)}${auth}\r\n`, 401],
    ['OPTIONS of everything', good.replace('GET /rates', 'OPTIONS *'), 404],
    ['GET of a star', good.replace('/rates', '*'), 404],
    ['a target of 8,192 characters', good.replace('/rates', `/${'a'.repeat(8_191)}`), 404],
    ['a body on POST', `${head.replace('GET', 'POST')}Content-Length: 2\r\n\r\n{"`, 405],
    ['TRACE with a body', `${head.replace('GET', 'TRACE')}Content-Length: 2\r\n\r\n{"`, 405],
    ['a target of 8,193 characters', good.replace('/rates', `/${'a'.repeat(8_192)}`), 414],
  ];

/** Unusual but readable requests. */
export const readable: readonly RawPayload[] = [
  ...answeredInTurn.map(([what, payload]): RawPayload => [what, payload]),
  ['HTTP/1.0', `GET /rates HTTP/1.0\r\n${auth}\r\n`],
  ['HTTP/1.0 with a Host', `GET /rates HTTP/1.0\r\n${host}${auth}\r\n`],
  ['HTTP/1.0 that stays', `GET /rates HTTP/1.0\r\n${auth}Connection: keep-alive\r\n\r\n`],
  ['Connection: close', `${head}Connection: close\r\n\r\n`],
  ['Connection: keep-alive', `${head}Connection: keep-alive\r\n\r\n`],
  ['Connection: Keep-Alive', `${head}connection: Keep-Alive\r\n\r\n`],
  ['a list in Connection', `${head}Connection: keep-alive, close\r\n\r\n`],
  ['a wish for websocket', `${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ['a wish for h2c', `${head}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
  ['names in upper case', good.replace('Host', 'HOST').replace('Authorization', 'AUTHORIZATION')],
  ['names in lower case', good.replace('Host', 'host').replace('Authorization', 'authorization')],
  ['the scheme in lower case', good.replace('Bearer', 'bearer')],
  ['two blanks before the key', good.replace('Bearer ', 'Bearer  ')],
  ['a tab before a value', good.replace('Host: ', 'Host:\t')],
  ['no blank before a value', good.replace('Host: ', 'Host:')],
  ['blanks behind a value', good.replace('Host: x', 'Host: x  ')],
  ['an empty Host', good.replace('Host: x', 'Host:')],
  ['an odd Host', good.replace('Host: x', 'Host: a b/c@d')],
  ['a Host of IPv6', good.replace('Host: x', 'Host: [::1]:8080')],
  ['two keys', `${head}${auth}\r\n`],
  ['no key', `GET /rates HTTP/1.1\r\n${host}\r\n`],
  ['a key of another scheme', good.replace('Bearer', 'Basic')],
  ['half a key', good.replace('{key}', 'vfx_abc')],
  ['an empty key', good.replace('{key}', '')],
  ['a key in an odd field', good.replace('Authorization', 'X-Api-Key')],
  ['an Origin', `${head}Origin: https://shop.example\r\n\r\n`],
  [
    'every harmless field',
    `${head}Accept: */*\r\nCookie: a=b\r\nUser-Agent: x\r\nVia: 1.1 y\r\n\r\n`,
  ],
  ['a request id of its own', `${head}X-Request-Id: mine\r\n\r\n`],
  ['two If-None-Match', `${head}If-None-Match: "a"\r\nIf-None-Match: *\r\n\r\n`],
  ['an empty line end before it', `\n${good}`],
  ['a fragment', good.replace('/rates', '/rates#x')],
];

/** A good head, and behind it a body that cannot be read. */
export const unreadableBodies: readonly RawPayload[] = [
  ['a chunk size that is none', `${chunked}zz\r\nhello\r\n0\r\n\r\n`],
  ['a chunk size beyond 64 bits', `${chunked}fffffffffffffffff\r\nhello\r\n0\r\n\r\n`],
  ['a chunk longer than its size', `${chunked}5\r\nhelloX0\r\n\r\n`],
  ['chunks without CR', `${chunked}5\nhello\n0\n\n`],
  [
    '20,000 characters of chunk extension',
    `${chunked}5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`,
  ],
  ['200,000 characters of trailers', `${chunked}0\r\n${'X: y\r\n'.repeat(30_000)}\r\n`],
  ['garbage behind a good request', `${good}garbage\r\n\r\n`],
  ['more behind Connection: close', `${head}Connection: close\r\n\r\n${good}`],
];

function longTarget(length: number): string {
  return `GET /${'a'.repeat(length)} HTTP/1.1\r\n${host}\r\n`;
}
