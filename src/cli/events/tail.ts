import { textForm } from '../../platform/fields/field.ts';
import { printBody } from '../../events/event-types.ts';
import { allTypes, eventPageLimits, parseTypes, typeNames } from '../../events/log/log-query.ts';
import { type LogQuery, LogReader } from '../../events/log/log-reader.ts';
import type { Page } from '../../events/log/page.ts';
import { isDatabaseUnavailable } from '../../platform/database/unavailable.ts';
import { pause, systemTimers } from '../../platform/time/timers.ts';
import { createEventChanges } from '../../rates/event-changes.ts';
import { anyText, flag, type NamedCommand, option, plain } from '../command/command.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, printToStderr, sentenceOf, UsageError } from '../command/report.ts';
import { requireKnownKey } from '../running/listing.ts';
import { withDatabase } from '../running/with-database.ts';
import { LineOutput } from './line-output.ts';

/** Interval between two looks for new events, and between two attempts while the database is unavailable. */
const pollMs = 500;

/**
 * Prints the events of the log as `GET /events` answers them, one on each line (rule E7).
 *
 * It ends with a signal, or when the program that reads its output has closed the pipe; neither is a failure.
 */
const tail = plain({
  words: 'tail',
  says: 'print events as JSON lines, the oldest first, and wait for further ones until Ctrl-C',
  examples: [
    'events tail --after now',
    'events tail --key key_3f9a1c5be0d27748 --type vat.checked,vat.changed',
    'events tail --no-follow',
  ],
  options: {
    after: option(
      '<cursor>',
      'only events after this cursor; now for those that happen from now',
      anyText,
    ),
    key: option(
      '<id>',
      'public events and those of this key; only public ones if left out',
      anyText,
    ),
    type: option(
      '<types>',
      'only events of these types, separated by commas',
      textForm(`${typeNames.join(', ')}, separated by commas`, parseTypes),
    ),
    noFollow: flag('end with the newest event'),
    json: flag('no effect: events are always JSON, one on each line'),
  },
  run: async (io, { options }) => {
    await withDatabase(io, async ({ db, log }, interrupted) => {
      using output = new LineOutput(io.stdout, interrupted);
      const { signal } = output;
      const sources = createEventChanges(db);
      const reader = new LogReader({
        db,
        log,
        printBody: async (event) => printBody(event, sources),
      });
      const { key: keyId, type: types = allTypes, noFollow = false } = options;
      await requireKnownKey(db, keyId);
      const visible = {
        keyId: keyId ?? '',
        types: keyId === undefined ? { ...types, key: [] } : types,
      };
      let after = await readPlace(reader, options.after);
      let page = await readPage(reader, { ...visible, after });
      for (;;) {
        for (const event of page.events) await output.write(event);
        if (signal.aborted || (noFollow && !page.hasMore)) return;
        after = await readPlace(reader, page.nextCursor);
        if (!page.hasMore) await pause(systemTimers, pollMs, signal);
        const next = await readPatiently(io, { reader, query: { ...visible, after }, signal });
        if (next === undefined) return;
        page = next;
      }
    });
  },
});

export const eventCommands: readonly NamedCommand[] = [tail];

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
