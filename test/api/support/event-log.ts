import { randomBytes } from 'node:crypto';
import type { Db } from '../../../src/platform/database/database.ts';
import { announce } from '../../../src/events/outbox.ts';
import type { Caller } from './caller.ts';

/** An event of the log. */
export type LoggedEvent = {
  readonly id: string;
  readonly cursor: string;
  readonly type: string;
  readonly timestamp: string;
};

/** The body of `GET /events`. */
export type LogPage = {
  readonly events: readonly LoggedEvent[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
};

/** Reads a page; `query` is what comes after the question mark. Throws for an answer that is no page. */
export async function readPage(caller: Pick<Caller, 'get'>, query = ''): Promise<LogPage> {
  const { status, text } = await caller.get(`/events?${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as LogPage;
}

/** Announces an event of a key; returns its subject. */
export async function announceFor(
  db: Db,
  keyId: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const subject = `vc_${randomBytes(16).toString('hex')}`;
  const at = '2026-11-20T16:00:00.000Z';
  const event = {
    type: 'vat.checked',
    at,
    keyId,
    subject,
    fields: { subject, ...fields },
  } as const;
  await db.transaction().execute(async (tx) => announce(tx, event));
  return subject;
}

/** The subjects of events that `announceFor` has announced. */
export function subjectsOf({ events }: LogPage): readonly (string | undefined)[] {
  return events.map((event) => (event as { readonly subject?: string }).subject);
}
