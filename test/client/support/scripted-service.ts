import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VatfxOptions } from '../../../client/src/index.ts';
import { VatfxClient } from '../../../client/src/index.ts';
import { serveHttp } from '../../support/loopback-server.ts';

/** An answer that a service or a proxy may give. `hang` gives none, `reset` breaks the connection. */
export type Scripted = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fault?: 'hang' | 'reset' | 'stall';
};

/** A request as it arrived. */
export type Arrived = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & {
  readonly atMs: number;
};

export const someFx = '{"date":"2026-11-20","base":"EUR","rates":{"JPY":181.50,"USD":1.1604}}';
export const isFine: Scripted = { status: 200, body: someFx };

/**
 * A client, and a server on a real socket that gives these answers in their order, the last one for ever: for what
 * the service itself does not do on demand. What arrived is counted there.
 */
export async function startScripted(
  answers: readonly Scripted[],
  options: Partial<VatfxOptions> = {},
): Promise<{ readonly client: VatfxClient; readonly url: string; readonly arrived: Arrived[] }> {
  const arrived: Arrived[] = [];
  const url = await serveHttp((request, response) => {
    const { method, url, headers } = request;
    arrived.push({ method, url, headers, atMs: performance.now() });
    const answer = answers[Math.min(arrived.length, answers.length) - 1] ?? isFine;
    request.resume().on('end', () => give(response, answer));
  });
  const retry = { firstDelayMs: 1, ...options.retry };
  const client = new VatfxClient({ url, key: 'vfx_test', ...options, retry });
  return { client, url, arrived };
}

function give(response: ServerResponse, { status = 200, headers, body = '', fault }: Scripted) {
  if (fault === 'hang') return;
  if (fault === 'reset') {
    response.destroy();
    return;
  }
  const sent = fault === 'stall' ? { ...headers, 'content-length': '1000' } : headers;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...sent });
  if (fault === 'stall') response.write(body);
  else response.end(body);
}
