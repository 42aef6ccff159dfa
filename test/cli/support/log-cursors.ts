import type { Answer } from '../../support/send-request.ts';
import { callerWith, type Caller } from '../../api/support/caller.ts';
import { announceFor, readPage, subjectsOf } from '../../api/support/event-log.ts';
import type { TestService } from '../../support/start-service.ts';

/** A caller with events in the log, and cursors of it. */
export type ReadLog = {
  readonly caller: Caller;
  /** The subjects of all stored events, oldest first. */
  readonly subjects: readonly string[];
  /** The cursor after the first of them. */
  readonly cursor: string;
};

/** Announces two events of a caller, and keeps the cursor after the first of them. */
export async function readLog(service: TestService, caller: Caller): Promise<ReadLog> {
  const first = await announceFor(service.core.db, caller.id);
  const { nextCursor: cursor } = await readPage(caller);
  const second = await announceFor(service.core.db, caller.id);
  return { caller, subjects: [first, second], cursor };
}

/** The same caller of another service, which has its key. */
export function movedTo(service: TestService, caller: Caller): Caller {
  return callerWith(service, caller);
}

/** The subjects of the events after a cursor, or of all. */
export async function subjectsAfter(caller: Caller, cursor?: string): Promise<readonly unknown[]> {
  return subjectsOf(await readPage(caller, cursor === undefined ? '' : `after=${cursor}`));
}

/** The cursor in the `Link` header of a 410. */
export function oldestOf({ headers }: Answer): string | undefined {
  return /^<\/events\?after=(.+)>; rel="first"$/.exec(String(headers['link']))?.[1];
}
