import { createSocket } from 'node:dgram';
import { NODATA, NOTFOUND, SERVFAIL, TIMEOUT } from 'node:dns';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createResolver } from './resolve.ts';

const { signal: never } = new AbortController();
const [typeA, typeAaaa] = [1, 28];
const responseCodes: Readonly<Record<string, number>> = {
  [NODATA]: 0,
  [SERVFAIL]: 2,
  [NOTFOUND]: 3,
};

/** Reply of a name server to a query: addresses as bytes, a code, or none. */
type Reply =
  | readonly (readonly number[])[]
  | typeof NODATA
  | typeof NOTFOUND
  | typeof SERVFAIL
  | 'silence';

type NameServer = { readonly server: string; readonly queries: string[] };

/** A name server on loopback that ends with the test. */
async function serveDns(
  reply: (question: { readonly name: string; readonly family: 4 | 6 }) => Reply,
): Promise<NameServer> {
  const queries: string[] = [];
  const server = createSocket('udp4', (query, sender) => {
    const nameEnd = query.indexOf(0, 12);
    const labels: string[] = [];
    for (let at = 12; at < nameEnd; at += query.readUInt8(at) + 1) {
      labels.push(query.toString('latin1', at + 1, at + 1 + query.readUInt8(at)));
    }
    const type = query.readUInt16BE(nameEnd + 1);
    const question = { name: labels.join('.'), family: type === typeA ? 4 : 6 } as const;
    queries.push(`${question.name} ${question.family}`);
    const replied = reply(question);
    if (replied === 'silence') return;
    const addresses = typeof replied === 'string' ? [] : replied;
    const code = typeof replied === 'string' ? (responseCodes[replied] ?? 0) : 0;
    const head = Buffer.from([0x81, 0x80 + code, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
    const records = addresses.map((bytes) => {
      const recordType = bytes.length === 4 ? typeA : typeAaaa;
      return [0xc0, 0x0c, 0, recordType, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes];
    });
    const questionBytes = query.subarray(12, nameEnd + 5);
    const answer = [query.subarray(0, 2), head, questionBytes, Buffer.from(records.flat())];
    server.send(Buffer.concat(answer), sender.port, sender.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server: `127.0.0.1:${server.address().port}`, queries };
}

const ipv6 = [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];

describe('createResolver (contract C30)', () => {
  it('queries both families and returns all answers, IPv4 first', async () => {
    const dns = await serveDns(({ family }) =>
      family === 4
        ? [
            [9, 9, 9, 9],
            [8, 8, 8, 8],
          ]
        : [ipv6],
    );
    const resolve = createResolver({ useSystem: false, servers: [dns.server] });

    const addresses = await resolve('receiver.example', never);

    expect(addresses).toEqual(['9.9.9.9', '8.8.8.8', '2606:4700::1111']);
    expect(dns.queries.sort()).toEqual(['receiver.example 4', 'receiver.example 6']);
  });

  it.each([
    ['has none', NODATA],
    ['is not known', NOTFOUND],
    ['fails', SERVFAIL],
  ])('returns the addresses of one family if the other %s', async (_, other) => {
    const dns = await serveDns(({ family }) => (family === 4 ? [[9, 9, 9, 9]] : other));
    const resolve = createResolver({ useSystem: false, servers: [dns.server] });

    expect(await resolve('receiver.example', never)).toEqual(['9.9.9.9']);
  });

  // The system reads `127.1` as an address and DNS does not: it stands for a name in the hosts file.
  it.each([
    ['an unknown host', 'receiver.example', NOTFOUND],
    ['a host without addresses', 'receiver.example', NODATA],
    ['a name that only the system knows', '127.1', NOTFOUND],
    ['a name without a dot', 'localhost', NOTFOUND],
  ])('returns no addresses for %s', async (_, host, code) => {
    const dns = await serveDns(() => code);
    const resolve = createResolver({ useSystem: false, servers: [dns.server] });

    expect(await resolve(host, never)).toEqual([]);
    expect(dns.queries).toHaveLength(2);
  });

  it.each([4, 6])(
    'rejects if the query of family %i fails and the other has no address',
    async (failing) => {
      const dns = await serveDns(({ family }) => (family === failing ? SERVFAIL : NODATA));
      const resolve = createResolver({ useSystem: false, servers: [dns.server] });

      await expect(resolve('receiver.example', never)).rejects.toMatchObject({
        message: 'no name server answered for receiver.example',
        cause: { code: SERVFAIL },
      });
    },
  );

  it('stops waiting for DNS with the reason of the signal', async () => {
    const stop = new AbortController();
    const dns = await serveDns(() => {
      stop.abort('stopped');
      return 'silence';
    });
    const resolve = createResolver({ useSystem: true, servers: [dns.server] });

    await expect(resolve('127.1', stop.signal)).rejects.toBe('stopped');
    expect(dns.queries.length).toBeLessThanOrEqual(2);
  });
});

describe('createResolver with useSystem (contract C30)', () => {
  it('queries only the system for a name without a dot', async () => {
    const dns = await serveDns(() => [[9, 9, 9, 9]]);
    const resolve = createResolver({ useSystem: true, servers: [dns.server] });

    expect(await resolve('localhost', never)).toContain('127.0.0.1');
    expect(dns.queries).toEqual([]);
  });

  it('queries a silent name server twice, and then not the system, which would also wait', async () => {
    const dns = await serveDns(() => 'silence');
    const resolve = createResolver({ useSystem: true, servers: [dns.server] });

    await expect(resolve('127.1', never)).rejects.toMatchObject({ cause: { code: TIMEOUT } });
    expect(dns.queries.sort()).toEqual(['127.1 4', '127.1 4', '127.1 6', '127.1 6']);
  });
});
