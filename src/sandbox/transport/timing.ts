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

/** The answer with a `Date` in the sandbox's time. */
export function dated(answer: Answer, clock: Clock): Answer {
  const date = new Date(clock.now()).toUTCString();
  return { ...answer, headers: { ...answer.headers, Date: date } };
}
