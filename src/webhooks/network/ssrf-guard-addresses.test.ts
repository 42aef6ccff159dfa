import { connect, Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { countConnections } from '../../../test/support/connection-count.ts';
import { countOf, seedOf, reportFigure } from '../../../test/support/proof.ts';
import { answers, sendGuarded } from '../../../test/support/send-guarded.ts';
import { createAddressPolicy } from './address-class.ts';
import { parseReceiverUrl } from './receiver-url.ts';
import type { Resolve } from './resolve.ts';
import { createSsrfGuard } from './ssrf-guard.ts';

const { signal: never } = new AbortController();
const isAllowed = createAddressPolicy([]);
const rebindings = countOf({ full: 1_000, perCommit: 100 });
const seed = seedOf(20_261_121);

/** Hosts in URLs that are not public addresses, separated by blanks. */
const spellings = `
  127.0.0.1 127.0.0.1. 127.255.255.254 127.1 127.0.1 2130706433 017700000001 0x7f000001 0x7F.1
  0177.0.0.1 0177.0.0.01 0177.1 0x7f.0x0.0x0.0x1 0x7f.0.1 00000177.0.0.1 127.0x1 127.0.0.0x1
  %3127.0.0.1 127%2e0%2E0.1 １２７.０.０.１ 127。0。0。1 ⑫7.0.0.1
  0 0.0.0.0 0x0 00 0.1
  10.0.0.1 167772161 012.0.0.1 0xa.1 10.1 172.16.0.1 0254.020.1 192.168.1.1 3232235777 0xc0a80101 192.168.257
  100.64.0.1 100.100.100.200 169.254.169.254 2852039166 0251.0376.0251.0376 0xa9fea9fe 169.254.43518
  168.63.129.16 2822734096 0xa83f8110 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 203.0.113.1
  224.0.0.1 240.0.0.1 255.255.255.255 4294967295 0xffffffff
  [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [::127.0.0.1] [::7f00:1] [::0.0.0.1]
  [::ffff:127.0.0.1] [::FFFF:7F00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe]
  [::ffff:168.63.129.16] [::ffff:10.0.0.1] [::ffff:0:127.0.0.1] [::ffff:0.0.0.0]
  [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::127.0.0.1]
  [2002:7f00:1::] [2002:7f00:1::1] [2002:a9fe:a9fe::] [2002:808:808::1] [2001::7f00:1] [2001:0:0:0::1]
  [fd00:ec2::254] [fd20:ce::254] [fc00::1] [fe80::1] [fec0::1] [ff02::1] [100::1] [5f00::1]
  [2606:4700::5efe:7f00:1] [2606:4700::200:5efe:10.0.0.1]
  [2001:db8::1] [2001:2::1] [2001:10::1] [2001:20::1] [3fff::1]
  [fe80::1%25lo] [::1%25lo] [::1%lo] [2606:4700::1111%25eth0] [fe80::1%251]
`
  .trim()
  .split(/\s+/);

/** Resolves to each list in turn, and then again from the first. */
function inTurn(lists: readonly (readonly string[])[]): Resolve {
  let queryCount = 0;
  return async () => lists[queryCount++ % lists.length] ?? [];
}

/** Connects to this machine, and fails for public addresses. */
function openHereOnly(to: { readonly host: string; readonly port: number }): Socket {
  return isAllowed(to.host) ? new Socket().destroy(new Error('far away')) : connect(to);
}

describe('addresses that are not public, in any spelling (R18)', () => {
  const seen = { refused: 0, begun: 0, connections: 0 };
  afterAll(() =>
    reportFigure(
      'R18',
      `${seen.refused} of ${spellings.length} spellings of non-public addresses refused, at registration and ` +
        `by the connector: ${seen.begun} connections begun, ${seen.connections} at the listener`,
    ),
  );

  it('are more than sixty', () => {
    expect(new Set(spellings).size).toBeGreaterThan(60);
  });

  it.each(spellings)('are refused without a connection: %s', async (host) => {
    const listener = await countConnections();
    const url = `http://${host}:${listener.port}/`;
    const events: string[] = [];
    const options = {
      isAllowed,
      resolve: async (name: string) => {
        events.push(`resolved ${name}`);
        return ['127.0.0.1'];
      },
      openSocket: (to: { readonly host: string; readonly port: number }) => {
        events.push(`opened ${to.host}`);
        seen.begun += 1;
        return connect(to);
      },
    };

    const policy = { allowHttp: true, allowPorts: [listener.port] };
    const parsed = parseReceiverUrl(url, policy);
    const judged =
      parsed.kind === 'url' ? await createSsrfGuard(options).check(parsed.url, never) : parsed;
    const sending = sendGuarded(url, options);

    await expect(sending).rejects.toThrow(/refused|Invalid URL/i);
    seen.connections += listener.count;
    expect(judged.kind).toMatch(/^(invalid|refused)$/);
    expect(events).toEqual([]);
    expect(listener.count).toBe(0);
    seen.refused += 1;
  });
});

describe('names that change their addresses (R18)', () => {
  const publicAddress = fc.constantFrom('9.9.9.9', '8.8.8.8', '2606:4700::1111');
  const privateAddress = fc.constantFrom(
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '::',
  );
  const answerLists = fc
    .array(fc.array(fc.oneof(publicAddress, privateAddress), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((lists) => [['9.9.9.9'], ...lists]);

  it('are never connected to at a private address, whatever they resolve to next', async () => {
    const listener = await countConnections();
    const url = `http://receiver.test:${listener.port}/`;
    const seen = { names: 0, answers: 0, inside: 0 };

    await fc.assert(
      fc.asyncProperty(answerLists, async (lists) => {
        const next = inTurn(lists);
        const resolve: Resolve = async (name, signal) => {
          const addresses = await next(name, signal);
          seen.answers += 1;
          if (!addresses.every(isAllowed)) seen.inside += 1;
          return addresses;
        };
        const guard = createSsrfGuard({ isAllowed, resolve });
        const sendOnce = async (): Promise<unknown> =>
          sendGuarded(url, { isAllowed, resolve, openSocket: openHereOnly });

        expect(await guard.check(new URL(url), never)).toEqual({ kind: 'allowed' });
        await expect(sendOnce()).rejects.toThrow(/far away|refused/);
        await expect(sendOnce()).rejects.toThrow(/far away|refused/);
        expect(listener.count).toBe(0);
        seen.names += 1;
      }),
      { numRuns: rebindings, seed },
    );

    reportFigure(
      'R18',
      `${seen.names} names that change their addresses, seed ${seed}: ${seen.answers} answers, ` +
        `${seen.inside} of them with an address inside: ${listener.count} connections`,
    );
    expect(seen.names).toBe(rebindings);
    expect(seen.inside).toBeGreaterThan(rebindings / 2);
  });

  const mixed = { refused: 0, connections: 0 };
  afterAll(() =>
    reportFigure(
      'R18',
      `${mixed.refused} answers with one address inside, at other places, refused: ` +
        `${mixed.connections} connections`,
    ),
  );

  it.each([
    ['first', ['127.0.0.1', '9.9.9.9']],
    ['last', ['9.9.9.9', '127.0.0.1']],
    ['among many', ['9.9.9.9', '8.8.8.8', '9.9.9.10', '9.9.9.11', '::1', '9.9.9.12']],
  ])('are refused with one bad address %s', async (_, addresses) => {
    const listener = await countConnections();
    const opened: string[] = [];

    const sending = sendGuarded(`http://receiver.test:${listener.port}/`, {
      isAllowed,
      resolve: answers(...addresses),
      openSocket: (to) => {
        opened.push(to.host);
        return openHereOnly(to);
      },
    });

    await expect(sending).rejects.toMatchObject({ why: 'notPublic' });
    mixed.connections += listener.count;
    expect(opened).toEqual([]);
    expect(listener.count).toBe(0);
    mixed.refused += 1;
  });
});
