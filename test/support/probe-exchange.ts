import { Agent, type Dispatcher } from 'undici';
import { expect, onTestFinished } from 'vitest';
import {
  exchange,
  type ExchangeAnswer,
  type ExchangeRequest,
} from '../../src/platform/upstream/exchange.ts';
import type { UpstreamError } from '../../src/platform/upstream/upstream-error.ts';
import { serveSocket } from './loopback-server.ts';

type Asked = Partial<ExchangeRequest> & { readonly agent?: Dispatcher };

/** Makes one exchange with an address, with default limits. */
export async function probeExchange<T>(
  url: string,
  read: (answer: ExchangeAnswer) => Promise<T>,
  { agent = new Agent(), ...asked }: Asked = {},
): Promise<T> {
  onTestFinished(async () => agent.destroy());
  const defaults = {
    deadlineMs: 5_000,
    bodyBytesMax: 1_000_000,
    headers: {},
    userAgent: 'vatfx/test',
  };
  const { signal } = new AbortController();
  const what = { upstream: 'ecb', operation: 'query', method: 'GET', url, signal } as const;
  return exchange(agent, { ...defaults, ...what, ...asked }, read);
}

/** Returns the error of an exchange; fails the test if there is none. */
export async function failure(
  url: string,
  asked: Asked = {},
  read = readText,
): Promise<UpstreamError> {
  const outcome = await probeExchange(url, read, asked).catch((error: unknown) => error);
  expect(outcome).toMatchObject({ name: 'UpstreamError', upstream: 'ecb', operation: 'query' });
  return outcome as UpstreamError;
}

export async function readText({ chunks }: ExchangeAnswer): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

/** The head of a 200 with these header lines. */
export const head = (lines: string): string => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;

/** A server that answers the first bytes of a connection with these bytes, and leaves it open. */
export async function serveBytes(...parts: readonly (string | Uint8Array)[]): Promise<string> {
  return serveSocket((socket) => {
    socket.once('data', () => {
      for (const part of parts) socket.write(part);
    });
  });
}
