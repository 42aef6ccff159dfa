import { banks, seriesByName } from '../../fx/banks/banks.ts';
import { type Closing, closeDay, listClosings, reopenDay } from '../../fx/absences/closings.ts';
import { type BankName, bankNames } from '../../platform/publication/data-set-kinds.ts';
import { formatInstant, type IsoDate } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { type Io, CommandFailure, type Report, UsageError } from '../report.ts';
import { operatorOf, type ReasonOption } from '../operator.ts';
import { readDate } from '../options.ts';
import { withDatabase } from '../with-database.ts';

type ClosingOptions = ReasonOption & { readonly bank: string };

/** Lists the days on which a bank published nothing by the word of an operator (rule N7b). */
export async function showClosings(io: Io): Promise<Report> {
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
}

/** Says that a bank published nothing on a day, for which a reason is required. */
export async function close(io: Io, text: string, options: ClosingOptions): Promise<Report> {
  const { bank, date, by } = readClosing(io, text, options);
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
}

/** Takes back that a bank published nothing on a day. */
export async function reopen(io: Io, text: string, options: ClosingOptions): Promise<Report> {
  const { bank, date, by } = readClosing(io, text, options);
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
}

function readClosing(io: Io, text: string, options: ClosingOptions) {
  const date: IsoDate = readDate('the date', text);
  const by = operatorOf(io, options);
  const bank: BankName | undefined = bankNames.find((name) => name === options.bank);
  if (bank === undefined) {
    throw new UsageError(`--bank is ${options.bank}, expected ${bankNames.join(' or ')}`);
  }
  return { bank, date, by };
}

function describeClosing(
  day: Pick<Closing, 'bank' | 'date'>,
  reason: string | null,
  [sentence, note]: readonly [string, string],
): Report {
  return { document: { ...day, reason, note }, text: `${sentence}\n${note}` };
}
