import { printBody } from '../../events/event-types.ts';
import { allTypes, eventPageLimits, parseTypes, typeNames } from '../../events/log/log-query.ts';
import { type LogQuery, LogReader } from '../../events/log/log-reader.ts';
import type { VisibleTypes } from '../../events/log/log-rows.ts';
import type { Page } from '../../events/log/page.ts';
import { isDatabaseUnavailable } from '../../platform/database/unavailable.ts';
import { pause, systemTimers } from '../../platform/time/timers.ts';
import { createEventChanges } from '../../rates/event-changes.ts';
import { type Io, CommandFailure, printToStderr, sentenceOf, UsageError } from '../report.ts';
import { requireKnownKey } from '../listing.ts';
import { withDatabase } from '../with-database.ts';
import { LineOutput } from './line-output.ts';

type TailOptions = {
  readonly after?: string;
  readonly key?: string;
  readonly type?: string;
  readonly follow: boolean;
};

/** Interval between two looks for new events, and between two attempts while the database is unavailable. */
const pollMs = 500;

/**
 * Prints the events of the log as `GET /events` answers them, one on each line (rule E7).
 *
 * It ends with a signal, or when the program that reads its output has closed the pipe; neither is a failure.
 */
export async function tail(io: Io, options: TailOptions): Promise<void> {
  const types = readTypes(options.type);
  await withDatabase(io, async ({ db, log }, interrupted) => {
    using output = new LineOutput(io.stdout, interrupted);
    const { signal } = output;
    const sources = createEventChanges(db);
    const reader = new LogReader({
      db,
      log,
      printBody: async (event) => printBody(event, sources),
    });
    const keyId = options.key;
    await requireKnownKey(db, keyId);
    const visible = {
      keyId: keyId ?? '',
      types: keyId === undefined ? { ...types, key: [] } : types,
    };
    let after = await readPlace(reader, options.after);
    let page = await readPage(reader, { ...visible, after });
    for (;;) {
      for (const event of page.events) await output.write(event);
      if (signal.aborted || !(options.follow || page.hasMore)) return;
      after = await readPlace(reader, page.nextCursor);
      if (!page.hasMore) await pause(systemTimers, pollMs, signal);
      const next = await readPatiently(io, { reader, query: { ...visible, after }, signal });
      if (next === undefined) return;
      page = next;
    }
  });
}

function readTypes(text: string | undefined): VisibleTypes {
  if (text === undefined) return allTypes;
  const types = parseTypes(text);
  if (types !== undefined) return types;
  throw new UsageError(`--type is ${text}, expected ${typeNames.join(', ')}, separated by commas`);
}

async function readPlace(reader: LogReader, text: string | undefined): Promise<LogQuery['after']> {
  if (text === undefined || text === 'now') return text;
  const cursor = (await reader.cursors()).parse(text);
  if (cursor !== undefined) return cursor;
  throw new UsageError(
    '--after is not a cursor of this service; expected the "cursor" of a printed event, or now',
  );
}

async function readPage(reader: LogReader, query: Omit<LogQuery, 'limit'>): Promise<Page> {
  const read = await reader.read({ ...query, limit: eventPageLimits.max });
  if (read.kind === 'page') return read.page;
  throw new CommandFailure(
    'the cursor has expired: later events were deleted after EVENTS_RETENTION_DAYS, or the database was restored ' +
      'from an earlier backup; leave out --after to begin with the oldest stored event',
  );
}

/** Reads a page, again until the database is available. Returns undefined if the command is to end. */
async function readPatiently(
  io: Io,
  of: {
    readonly reader: LogReader;
    readonly query: Omit<LogQuery, 'limit'>;
    readonly signal: AbortSignal;
  },
): Promise<Page | undefined> {
  const { reader, query, signal } = of;
  let isReported = false;
  while (!signal.aborted) {
    try {
      return await readPage(reader, query);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (!isReported)
        printToStderr(io, `${sentenceOf(error)}; trying again until it is available`);
      isReported = true;
      await pause(systemTimers, pollMs, signal);
    }
  }
  return undefined;
}
