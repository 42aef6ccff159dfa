import { EcbClient } from '../../../src/fx/ecb/client.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { isoDate } from '../../../src/platform/time/time.ts';
import { Upstream } from '../../../src/platform/upstream/upstream.ts';
import { TedbClient } from '../../../src/rates/tedb-client.ts';
import type { Outcome, RequesterRejected } from '../../../src/vat-check/registries/outcome.ts';
import { parseVatNumber } from '../../../src/vat-check/numbers/vat-number.ts';
import { alone } from '../../../src/vat-check/registries/registry.ts';
import { RegistryClient } from '../../../src/vat-check/registries/registry-client.ts';
import { vies } from '../../../src/vat-check/registries/vies/vies.ts';
import { onTestFinished } from 'vitest';
import { serveHttp } from '../../support/loopback-server.ts';
import { SettableClock } from '../../support/settable-clock.ts';

export type Kind = 'tedb' | 'ecb' | 'vies' | 'approx';

/** Lets the real client of an upstream read an answer; `accepted`, or the reason against it. */
export type Read = (body: Uint8Array) => Promise<string>;

/** The clients, with a server that gives any answer. */
export async function openClients(): Promise<Readonly<Record<Kind, Read>>> {
  let body: Uint8Array = Buffer.alloc(0);
  const url = await serveHttp((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'text/xml;charset=UTF-8' }).end(body);
  });
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const metrics = createMetrics();
  const open = (name: string): Upstream => {
    const upstream = new Upstream(name, { clock, metrics });
    onTestFinished(async () => upstream.close());
    return upstream;
  };
  const retry = { attempts: 1, firstDelayMs: 1 };
  const { signal } = new AbortController();
  const tedb = new TedbClient(open('tedb'), { url, retry });
  const ecb = new EcbClient(open('ecb'), { folderUrl: url, retry });
  const client = new RegistryClient(vies, open('vies'), { url });
  const number = parseVatNumber('AT', 'U99999901');
  if (number === undefined) throw new Error('the number of this test is malformed');
  const within = { deadlineMs: 30_000, signal };
  const query = { vatNumber: number, requester: number, trader: { name: 'A', city: 'B' } };

  const reading =
    (read: () => Promise<string>): Read =>
    async (bytes) => {
      body = bytes;
      return read().catch(
        (error: unknown) => (error as { readonly kind?: string }).kind ?? String(error),
      );
    };
  return {
    tedb: reading(async () => tedb.fetchRows(isoDate('2026-11-20'), signal).then(() => 'accepted')),
    ecb: reading(async () =>
      ecb.fetchFile('history', { ifModifiedSince: undefined, signal }).then(() => 'accepted'),
    ),
    vies: reading(async () => toRead((await client.ask(alone(number), within)).outcome)),
    approx: reading(async () => toRead((await client.ask(query, within)).outcome)),
  };
}

/** An answer about another number was read completely, and compared with the query only then. */
function toRead(outcome: Outcome | RequesterRejected): string {
  const isOther = outcome.kind === 'failed' && outcome.failure === 'otherNumber';
  return outcome.kind === 'answered' || isOther ? 'accepted' : outcome.kind;
}

const found = {
  tedb: /<value>/,
  ecb: /<Cube currency=/,
  vies: /valid>/,
  approx: /valid>/,
} as const;

/** A reader with a mistake: it accepts any document that has the wanted values, like a lenient parser. */
export function readLeniently(kind: Kind, body: Uint8Array): string {
  return found[kind].test(Buffer.from(body).toString()) ? 'accepted' : 'empty';
}
