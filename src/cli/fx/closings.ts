import { choice } from '../../platform/fields/field.ts';
import { banks, seriesByName } from '../../fx/banks/banks.ts';
import { type Closing, closeDay, listClosings, reopenDay } from '../../fx/absences/closings.ts';
import { bankNames } from '../../platform/publication/data-set-kinds.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { changing, type NamedCommand, reporting, required } from '../command/command.ts';
import { CommandFailure, type Report, UsageError } from '../command/report.ts';
import { dateArgument } from '../command/options.ts';
import { withDatabase } from '../running/with-database.ts';

const bank = bankNames.join(' or ');
const nationalBank = required('<bank>', bank, choice(bankNames, bank));

/** The days that operators have closed (rule N7b). */
const closings = reporting({
  words: 'closings',
  says: 'list the days on which a bank published nothing, as operators said',
  examples: ['fx closings'],
  run: async (io) => {
    const closings = await withDatabase(io, async ({ db }) => listClosings(db));
    return {
      document: closings,
      text: {
        rows: closings.map(({ closedAt, reason, ...day }) => ({
          ...day,
          reason,
          'closed at': closedAt,
        })),
        empty: 'No operator has closed a day.',
      },
    };
  },
});

const closed = changing({
  words: 'closed <date>',
  says: 'say that a national bank published nothing on a day; rates by law may rest on that; needs --reason',
  examples: ['fx closed 2026-11-19 --bank nbp --reason "day off, notice of the bank"'],
  argument: dateArgument,
  options: { bank: nationalBank },
  run: async (io, { argument: date, options: { bank }, by }) => {
    if (by.reason === null) {
      throw new UsageError(
        '--reason is missing, expected where the bank says that it published none',
      );
    }
    const series = seriesByName[bank];
    const refusal = await withDatabase(io, async ({ db, clock }) => {
      const nowMs = clock.now();
      if (!series.timetable.isOver(date, nowMs)) {
        throw new UsageError(`${date} has not ended where the bank is, expected an earlier day`);
      }
      return closeDay(db, series, { date, at: formatInstant(nowMs), by });
    });
    switch (refusal?.kind) {
      case 'published':
        throw new CommandFailure(`/fx/${bank}/${date} is published, so the day is not closed`);
      case 'held':
        throw new CommandFailure(
          `a publication of ${date} is held as ${refusal.id}: "${vatfx(`snapshots show ${refusal.id}`)}"; reject it first`,
        );
      case 'known':
        throw new CommandFailure(
          `${date} is closed already; "${vatfx('fx closings')}" lists all closed days`,
        );
      case undefined:
        return describeClosing({ bank, date }, by.reason, [
          `${date} is closed: ${banks[bank].title} published nothing on that day`,
          `rates by law may rest on it now, and "${vatfx(`jobs run ${bank}`)}" publishes what waited for it`,
        ]);
    }
  },
});

const reopen = changing({
  words: 'reopen <date>',
  says: 'take that back; caches may still hold answers that rest on it',
  examples: ['fx reopen 2026-11-19 --bank nbp --reason "it was another day"'],
  argument: dateArgument,
  options: { bank: nationalBank },
  run: async (io, { argument: date, options: { bank }, by }) => {
    const isReopened = await withDatabase(io, async ({ db, clock }) =>
      reopenDay(db, seriesByName[bank], { date, at: formatInstant(clock.now()), by }),
    );
    if (!isReopened) {
      throw new CommandFailure(
        `${date} is not closed by an operator; "${vatfx('fx closings')}" lists those days`,
      );
    }
    return describeClosing({ bank, date }, by.reason, [
      `${date} is open again: ${banks[bank].title} is asked for it by each run`,
      'answers that rested on it were immutable: caches may hold them for up to a year',
    ]);
  },
});

export const closingCommands: readonly NamedCommand[] = [closings, closed, reopen];

function describeClosing(
  day: Pick<Closing, 'bank' | 'date'>,
  reason: string | null,
  [sentence, note]: readonly [string, string],
): Report {
  return { document: { ...day, reason, note }, text: `${sentence}\n${note}` };
}
