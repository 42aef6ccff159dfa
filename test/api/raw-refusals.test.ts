import { describe, expect, it } from 'vitest';
import { RawConnection } from '../support/raw-connection.ts';
import {
  auth,
  chunked,
  good,
  head,
  host,
  rawErrorForm,
  rawFormOf,
  readAll,
} from '../support/raw-requests.ts';
import { shareService } from '../support/start-service.ts';

const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

async function sendRaw(payload: string): Promise<RawConnection> {
  const connection = await RawConnection.open(service().apiUrl);
  connection.send(payload.replaceAll('{key}', service().key));
  return connection;
}

describe('a request that cannot be read (contract C2, C3)', () => {
  it.each([
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
  ])('is answered 400 for %s, and the connection ends', async (_what, payload) => {
    const connection = await sendRaw(payload);

    const answers = await readAll(connection);

    expect(answers.map(rawFormOf)).toEqual([rawErrorForm(400, 'bad request')]);
    expect((await service().get('/rates')).status).toBe(200);
  });

  it.each([
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
  ])('is answered once, 400, for %s: nothing is smuggled in behind', async (_what, payload) => {
    const connection = await sendRaw(payload + good);

    const answers = await readAll(connection);

    expect(answers.map(rawFormOf)).toEqual([rawErrorForm(400, 'bad request')]);
    expect((await service().get('/rates')).status).toBe(200);
  });

  it.each([
    ['a target of 20,000 characters', 414, 'URL too long', `GET /${'a'.repeat(20_000)}`],
    ['a target of 200,000 characters', 414, 'URL too long', `GET /${'a'.repeat(200_000)}`],
    ['a header of 20,000', 431, 'header fields too large', `${head}X: ${'a'.repeat(20_000)}`],
    ['3,000 headers', 431, 'header fields too large', `${head}${'a: b\r\n'.repeat(3_000)}`],
    ['3,000 empty headers', 431, 'header fields too large', `${head}${'a:\r\n'.repeat(3_000)}`],
    ['an odd Expect', 417, 'expectation failed', `${head}Expect: 200-ok`],
  ])('with %s is answered %i "%s"', async (_what, status, error, payload) => {
    const isLine = !payload.includes('\r\n');

    const connection = await sendRaw(`${payload}${isLine ? ` HTTP/1.1\r\n${host}` : '\r\n'}\r\n`);
    const answers = await readAll(connection);

    expect(answers.map(rawFormOf)).toEqual([rawErrorForm(status, error)]);
    expect((await service().get('/rates')).status).toBe(200);
  });
});
