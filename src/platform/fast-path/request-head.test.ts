import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serveHttp } from '../../../test/support/loopback-server.ts';
import { Wire } from '../../../test/support/wire.ts';
import { readHead } from './request-head.ts';

const begin = 'GET /rates HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer vfx_1\r\n';
const good = `${begin}\r\n`;

describe('readHead', () => {
  it('reads the target, the key and If-None-Match', () => {
    const text = good
      .replace('/rates', '/changes?a=b')
      .replace(/\r\n$/, 'If-None-Match: "x", *\r\n\r\n');

    expect(readHead(text)).toEqual({ target: '/changes?a=b', key: 'vfx_1', ifNoneMatch: '"x", *' });
  });

  it.each([
    ['names in any case', good.replace('Host', 'hOST').replace('Authorization', 'authorization')],
    [
      'fields in any order',
      'GET /rates HTTP/1.1\r\nAuthorization: Bearer vfx_1\r\nHost: x\r\n\r\n',
    ],
    ['a port', good.replace('Host: x', 'Host: [::1]:8080')],
    ['harmless fields, twice', `${begin}Accept: */*\r\nAccept: a\r\nCookie: a=b; c=d\r\n\r\n`],
    ['Connection: keep-alive', `${begin}Connection: Keep-Alive\r\n\r\n`],
  ])('reads a head with %s', (_what, text) => {
    expect(readHead(text)).toEqual({ target: '/rates', key: 'vfx_1', ifNoneMatch: undefined });
  });

  it.each([
    ['nothing', ''],
    ['half of it', good.slice(0, -2)],
    ['all but the last byte', good.slice(0, -1)],
    ['a byte more', `${good}x`],
    ['another request behind it', good + good],
    ['an empty line before it', `\r\n${good}`],
    ['another method', good.replace('GET', 'HEAD')],
    ['a method in lower case', good.replace('GET', 'get')],
    ['HTTP/1.0', good.replace('1.1', '1.0')],
    ['two blanks in the request line', good.replace('GET ', 'GET  ')],
    ['an absolute target', good.replace('/rates', 'http://x/rates')],
    ['a star', good.replace('/rates', '*')],
    ['an escape in the target', good.replace('/rates', '/r%61tes')],
    ['a plus in the query', good.replace('/rates', '/rates?a=+')],
    ['a fragment', good.replace('/rates', '/rates#a')],
    ['two questions', good.replace('/rates', '/rates?a?b')],
    ['bytes beyond ASCII in the target', good.replace('/rates', '/rat\xe9s')],
    ['bytes beyond ASCII in a value', `${begin}Accept: \xff\r\n\r\n`],
    ['a NUL in a value', `${begin}Accept: a\0\r\n\r\n`],
    ['a tab in a value', `${begin}Accept: a\tb\r\n\r\n`],
    ['an empty value', `${begin}Accept: \r\n\r\n`],
    ['no blank behind the colon', good.replace('Host: ', 'Host:')],
    ['two blanks behind the colon', good.replace('Host: ', 'Host:  ')],
    ['a tab behind the colon', good.replace('Host: ', 'Host:\t')],
    ['a blank before the colon', good.replace('Host: ', 'Host : ')],
    ['a blank behind the value', good.replace('Host: x', 'Host: x ')],
    ['a folded field', `${begin}Accept: a\r\n b\r\n\r\n`],
    ['a line end without CR', good.replace('x\r\n', 'x\n')],
    ['a line end without LF', good.replace('x\r\n', 'x\r')],
    ['no Host', good.replace('Host: x\r\n', '')],
    ['two Hosts', `${begin}Host: x\r\n\r\n`],
    ['an odd Host', good.replace('Host: x', 'Host: x/y')],
    ['a list of Hosts', good.replace('Host: x', 'Host: x, y')],
    ['no key', good.replace('Authorization: Bearer vfx_1\r\n', '')],
    ['two keys', `${begin}Authorization: Bearer vfx_1\r\n\r\n`],
    ['another scheme', good.replace('Bearer', 'Basic')],
    ['the scheme in lower case', good.replace('Bearer', 'bearer')],
    ['two blanks before the key', good.replace('Bearer ', 'Bearer  ')],
    ['a key of two words', good.replace('vfx_1', 'vfx_1 2')],
    ['a list of keys', good.replace('vfx_1', 'vfx_1, vfx_2')],
    ['two If-None-Match', `${begin}If-None-Match: "a"\r\nif-none-match: "b"\r\n\r\n`],
    ['Connection: close', `${begin}Connection: close\r\n\r\n`],
    ['a list in Connection', `${begin}Connection: keep-alive, close\r\n\r\n`],
    ['a length', `${begin}Content-Length: 0\r\n\r\n`],
    ['a coding', `${begin}Transfer-Encoding: chunked\r\n\r\n`],
    ['an upgrade', `${begin}Upgrade: h2c\r\n\r\n`],
    ['an Expect', `${begin}Expect: 100-continue\r\n\r\n`],
    ['an Origin', `${begin}Origin: https://shop.example\r\n\r\n`],
    ['a Range', `${begin}Range: bytes=0-1\r\n\r\n`],
    ['an unknown field', `${begin}X-Odd: 1\r\n\r\n`],
    ['a name with a digit', `${begin}X1: 1\r\n\r\n`],
    ['a name with an underscore', `${begin}Content_Length: 1\r\n\r\n`],
    ['a field without a name', `${begin}: x\r\n\r\n`],
    ['a field without a colon', `${begin}Accept\r\n\r\n`],
  ])('does not read %s', (_what, text) => {
    expect(readHead(text)).toBeUndefined();
  });
});

/** Pieces of a head: most are usual, and each may be one that readHead does not accept. */
const target = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^\/[\w./~-]{0,8}(\?[\w.=&,-]{0,12})?$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('*', 'rates', '/%61', '/a b', '/\xe9', '//', '/?', 'http://x/'),
  },
);
const name = fc.constantFrom(
  'Accept',
  'ACCEPT',
  'user-agent',
  'Cookie',
  'If-None-Match',
  'if-none-match',
  'Connection',
  'Host',
  'Authorization',
  'Content-Length',
  'Transfer-Encoding',
  'X-Odd',
  'Via',
  'Na me',
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[!-~]( ?[!-~]){0,6}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '*', 'close', 'keep-alive', '0', 'chunked', 'a\tb', '\xff'),
  },
);
const colon = fc.oneof(
  { weight: 8, arbitrary: fc.constant(': ') },
  { weight: 1, arbitrary: fc.constantFrom(':', ':\t', ' : ', ':  ') },
);
const lineEnd = fc.oneof(
  { weight: 20, arbitrary: fc.constant('\r\n') },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\r', ' \r\n', '\r\n ') },
);
const field = fc.tuple(name, colon, value, lineEnd).map((parts) => parts.join(''));
const anyHead = fc
  .tuple(target, fc.array(field, { maxLength: 4 }), fc.array(field, { maxLength: 2 }))
  .map(([path, before, behind]) =>
    [
      `GET ${path} HTTP/1.1\r\n`,
      ...before,
      'Host: x\r\nAuthorization: Bearer vfx_1\r\n',
      ...behind,
      '\r\n',
    ].join(''),
  );

it('a head that readHead reads has the same meaning for the parser of node:http', async () => {
  const heard: unknown[] = [];
  const url = await serveHttp((request, response) => {
    const { method, url: path, headers, headersDistinct } = request;
    heard.push({
      method,
      head: {
        target: path,
        key: headers.authorization?.replace('Bearer ', ''),
        ifNoneMatch: headers['if-none-match'],
      },
      hosts: headersDistinct['host']?.length,
      hasBody: 'content-length' in headers || 'transfer-encoding' in headers,
    });
    response.end('ok');
  });
  const wire = await Wire.open(url);
  let accepted = 0;

  await fc.assert(
    fc.asyncProperty(anyHead, async (text) => {
      const read = readHead(text);
      fc.pre(read !== undefined);
      accepted += 1;
      wire.send(text);
      await wire.answers(accepted);
      expect(heard.at(-1)).toEqual({ method: 'GET', head: read, hosts: 1, hasBody: false });
      expect(heard).toHaveLength(accepted);
    }),
    { numRuns: 300, maxSkipsPerRun: 50 },
  );
});
