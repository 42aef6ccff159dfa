import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished, vi } from 'vitest';
import { VatfxClient, type VatfxOptions } from '../../../client/src/index.ts';
import { serveHttp } from '../../support/loopback-server.ts';

/** One answer of a service or a proxy. `hang` sends nothing, `stall` sends a part, `reset` closes the connection. */
export type Scripted = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fault?: 'hang' | 'reset' | 'stall';
};

/** A received request. */
export type Arrived = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & {
  readonly atMs: number;
};

export const someFx = '{"date":"2026-11-20","base":"EUR","rates":{"JPY":181.50,"USD":1.1604}}';
export const isFine: Scripted = { status: 200, body: someFx };

/**
 * Starts a server on a real socket that gives scripted answers in order and then repeats the last one, and makes a
 * client of it. For answers that the service itself cannot be made to give.
 */
export async function startScripted(
  answers: readonly Scripted[],
  options: Partial<VatfxOptions> = {},
): Promise<{ readonly client: VatfxClient; readonly url: string; readonly arrived: Arrived[] }> {
  const arrived: Arrived[] = [];
  const answerTo = (requests: number): Scripted =>
    answers[Math.min(requests, answers.length) - 1] ?? isFine;
  /** Lets the client's clock reach the end of an attempt that gets no complete answer. */
  const passAttempt = (): void => {
    if (vi.isFakeTimers()) vi.advanceTimersByTime(options.attemptTimeoutMs ?? 12_000);
  };
  const url = await serveHttp((request, response) => {
    const { method, url, headers } = request;
    arrived.push({ method, url, headers, atMs: performance.now() });
    const answer = answerTo(arrived.length);
    request.resume().on('end', () => {
      give(response, answer);
      if (answer.fault === 'hang') passAttempt();
    });
  });
  const client = new VatfxClient({
    url,
    key: 'vfx_test',
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (answerTo(arrived.length).fault === 'stall') passAttempt();
      return response;
    },
    ...options,
    retry: { firstDelayMs: 1, ...options.retry },
  });
  return { client, url, arrived };
}

/**
 * Until the end of the test, an answer of `startScripted` that hangs or stalls takes no time: the client's timers
 * then move to the end of the attempt. Otherwise they run as usual.
 */
export function skipTimeouts(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldAdvanceTime: true,
    advanceTimeDelta: 1,
  });
  onTestFinished(() => void vi.useRealTimers());
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
