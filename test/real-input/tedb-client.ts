import { onTestFinished } from 'vitest';
import { createMetrics } from '../../src/platform/metrics.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { Upstream } from '../../src/platform/upstream/upstream.ts';
import { TedbClient } from '../../src/rates/tedb-client.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { SettableClock } from '../support/settable-clock.ts';
import { readJsonCapture } from './captures.ts';

type Exchange = {
  readonly status: { readonly code: number };
  readonly response_headers: Readonly<Record<string, string>>;
};

const metrics = createMetrics();

/** Reads bytes with the real client, from a server that sends the headers of TEDB. */
export async function openClient(kind: 'ok' | 'fault', body: () => Uint8Array) {
  const exchanges = readJsonCapture('tedb/http-exchanges.json') as {
    readonly ok: Exchange;
    readonly fault: Exchange;
  };
  const { status, response_headers: captured } = exchanges[kind];
  const url = await serveHttp((_request, response) => {
    const bytes = body();
    const headers = { ...captured, 'Content-Length': String(bytes.length) };
    response.writeHead(status.code, headers).end(bytes);
  });
  const clock = new SettableClock('2025-08-12T11:26:33Z');
  const upstream = new Upstream('tedb', { clock, metrics });
  onTestFinished(async () => upstream.close());
  const client = new TedbClient(upstream, { url, retry: { attempts: 1, firstDelayMs: 1 } });
  const { signal } = new AbortController();
  return async () => client.fetchRows(isoDate('2025-08-12'), signal);
}
