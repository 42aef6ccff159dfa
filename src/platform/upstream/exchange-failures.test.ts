import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { serveHttp, serveSocket, unusedAddress } from '../../../test/support/loopback-server.ts';
import { failure, head, serveBytes } from '../../../test/support/probe-exchange.ts';

describe('a broken exchange', () => {
  it.each<[string, Promise<string> | (() => Promise<string>), string, string]>([
    ['no server listens', unusedAddress, 'network', 'no answer (ECONNREFUSED)'],
    [
      'the connection closes immediately',
      async () => serveSocket((s) => s.destroy()),
      'network',
      'no answer',
    ],
    [
      'it is not HTTP',
      async () => serveBytes('220 mail.example ESMTP\r\n'),
      'network',
      'no answer (HTTPParserError)',
    ],
    [
      'it is not TLS',
      async () => (await serveSocket((s) => s.write('220 x'))).replace('http:', 'https:'),
      'network',
      'no answer',
    ],
    [
      'the body is shorter than it was said to be',
      async () => cut(head('Content-Length: 10'), 'x'),
      'truncated',
      'the connection ended before the answer did',
    ],
    [
      'the last chunk is missing',
      async () => cut(head('Transfer-Encoding: chunked'), '1\r\nx\r\n'),
      'truncated',
      'the connection ended before the answer did',
    ],
    [
      'the chunks are not chunks',
      async () => serveBytes(head('Transfer-Encoding: chunked'), 'zz\r\nx'),
      'truncated',
      'the connection ended before the answer did',
    ],
    [
      'the gzip ends early',
      async () => serveGzip(gzipSync('whole').subarray(0, -9)),
      'truncated',
      'the connection ended before the answer did',
    ],
    [
      'gzip is not gzip',
      async () => serveGzip('<xml/>'),
      'encoding',
      'the answer is not the gzip that it claims to be',
    ],
    [
      'the gzip is damaged',
      async () => serveGzip(damaged()),
      'encoding',
      'the answer is not the gzip that it claims to be',
    ],
    [
      'the encoding was not accepted in the request',
      async () => serveBytes(head('Content-Encoding: br\r\nContent-Length: 1'), 'x'),
      'encoding',
      'the answer is encoded as br, expected gzip',
    ],
  ])('names the reason if %s', async (_, serve, kind, message) => {
    const error = await failure(await (typeof serve === 'function' ? serve() : serve));

    expect(error.kind).toBe(kind);
    expect(error.status).toBe(kind === 'network' ? undefined : 200);
    expect(error.message).toContain(`ecb: query: ${message}`);
  });

  it.each([
    ['the name server is away', 'EAI_AGAIN'],
    ['the name does not exist', 'ENOTFOUND'],
    ['the network cannot be reached', 'ENETUNREACH'],
    ['a certificate is self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['a certificate is incomplete', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['a certificate is for another host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('is a network failure if %s (%s)', async (_, code) => {
    const agent = new Agent({
      connect: (_options, done) => {
        done(Object.assign(new Error('not connected'), { code }), null);
      },
    });

    const error = await failure('https://upstream.example/', { agent });

    expect(error).toMatchObject({ kind: 'network', status: undefined });
    expect(error.message).toBe(`ecb: query: no answer (${code}); is the address reachable?`);
  });

  async function cut(...parts: string[]): Promise<string> {
    return serveSocket((socket) => {
      socket.once('data', () => socket.end(parts.join('')));
    });
  }

  async function serveGzip(body: string | Uint8Array): Promise<string> {
    return serveHttp((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(body);
    });
  }

  function damaged(): Buffer {
    const bytes = gzipSync('whole '.repeat(1_000));
    bytes.fill(0xff, 12, 24);
    return bytes;
  }
});
