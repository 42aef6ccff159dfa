import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import type { Clock } from '../../platform/time.ts';
import type { Answer } from './answer.ts';

/** Waits, but no longer than until the peer hangs up. */
export async function waitWhileOpen(response: ServerResponse, latencyMs: number): Promise<void> {
  if (latencyMs === 0) return;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  await wait(latencyMs, undefined, { signal: closed.signal }).catch(() => {});
}

/** The answer with a `Date` that is so many minutes ahead of the sandbox's time; without a `Date` if that is null. */
export function dated(answer: Answer, clock: Clock, minutesAhead: number | null = 0): Answer {
  const { Date: _, ...headers } = answer.headers;
  if (minutesAhead === null) return { ...answer, headers };
  const date = new Date(clock.now() + minutesAhead * 60_000).toUTCString();
  return { ...answer, headers: { ...headers, Date: date } };
}
