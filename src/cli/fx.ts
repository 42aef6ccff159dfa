import { correctPublication } from '../fx/corrections.ts';
import { ecb } from '../fx/ecb-series.ts';
import { listCorrections, type SeenCorrection } from '../platform/publication/correction-store.ts';
import { formatInstant } from '../platform/time/time.ts';
import { type Io, CommandFailure, type Report } from './report.ts';
import { operatorOf, type ReasonOption } from './operator.ts';
import { readDate } from './options.ts';
import { withCore } from './with-core.ts';

/** Lists published values that the ECB has changed since. */
export async function showCorrections(io: Io): Promise<Report> {
  const open = await withCore(io, async ({ db }) => listCorrections(db, 'fx'));
  return {
    document: open.map(toWire),
    text: {
      rows: open.map(toWire).map(({ seenAt, ...row }) => ({ ...row, 'seen at': seenAt })),
      empty: 'There are no corrections: the ECB has changed no published value.',
    },
  };
}

/** Applies the corrections of a date. */
export async function correct(io: Io, text: string, options: ReasonOption): Promise<Report> {
  const date = readDate('the date', text);
  const by = operatorOf(io, options);
  const applied = await withCore(io, async ({ db, clock }) =>
    correctPublication(db, ecb, { date, at: formatInstant(clock.now()), by }),
  );
  if (applied.length === 0) {
    throw new CommandFailure(
      `there is no correction for ${date}; "fx corrections" lists all corrections`,
    );
  }
  const values = applied.map((c) => `${c.field} ${c.stored ?? '-'} → ${c.upstream ?? '-'}`);
  const note = `/fx/${date} was answered as immutable: caches may hold the old body for up to a year`;
  return {
    document: { date, applied: applied.map(toWire), note },
    text: `${date} corrected: ${values.join(', ')}\n${note}`,
  };
}

function toWire(correction: SeenCorrection) {
  return {
    date: correction.version,
    currency: correction.field,
    published: correction.stored,
    upstream: correction.upstream,
    seenAt: correction.seenAt,
  };
}
