import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../platform/time/time.ts';

/** An answer of the sandbox; a fault of the transport can change it while it is sent. */
export interface Answer {
  readonly status: number;
  /** An answer without `Content-Length` is sent in chunks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer of the sandbox's own routes, printed so that a person can read it. */
export function jsonAnswer(status: number, body: object): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: `${JSON.stringify(body, null, 2)}\n`,
  };
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Waits, but no longer than until the peer hangs up. */
export async function waitWhileOpen(response: ServerResponse, latencyMs: number): Promise<void> {
  if (latencyMs === 0) return;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  await wait(latencyMs, undefined, { signal: closed.signal }).catch(() => {});
}

/**
 * The answer with a `Date` that is so many minutes ahead of the sandbox's time; without a `Date` if that is null. An answer
 * with an `Age` has the `Date` at which the cache got it.
 */
export function dated(answer: Answer, clock: Clock, minutesAhead: number | null = 0): Answer {
  const { Date: _, ...headers } = answer.headers;
  if (minutesAhead === null) return { ...answer, headers };
  const ageMs = Number(headers['Age'] ?? 0) * 1_000;
  const date = new Date(clock.now() - ageMs + minutesAhead * 60_000).toUTCString();
  return { ...answer, headers: { ...headers, Date: date } };
}
