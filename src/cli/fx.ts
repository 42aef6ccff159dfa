import { correctPublication } from '../fx/corrections.ts';
import { listCorrections, type SeenCorrection } from '../platform/publication/correction-store.ts';
import { formatInstant, parseIsoDate } from '../platform/time.ts';
import { CommandFailure, formatTable, report, UsageError } from './report.ts';
import { withCore } from './with-core.ts';

/** Lists the published values of which the ECB says something else by now. */
export async function showCorrections(options: { readonly json?: boolean }): Promise<void> {
  const open = await withCore(async ({ db }) => listCorrections(db, 'fx'));
  const text = formatTable(
    ['date', 'currency', 'published', 'upstream', 'seen at'],
    open.map((c) => [c.version, c.field, c.stored, c.upstream, c.seenAt]),
    'The upstream agrees with everything that is published.',
  );
  report(options.json, open.map(toWire), text);
}

/** Applies the corrections of a date. */
export async function correct(text: string, options: { readonly json?: boolean }): Promise<void> {
  const date = parseIsoDate(text);
  if (date === null) throw new UsageError(`the date is ${text}, expected YYYY-MM-DD`);
  const applied = await withCore(async ({ db, clock }) =>
    correctPublication(db, date, formatInstant(clock.now())),
  );
  if (applied.length === 0) {
    throw new CommandFailure(
      `there is no correction for ${date}; "fx corrections" lists what there is`,
    );
  }
  const values = applied.map((c) => `${c.field} ${c.stored ?? '-'} → ${c.upstream ?? '-'}`);
  const note = `/fx/${date} was answered as immutable: caches may hold the old body for up to a year`;
  report(
    options.json,
    { date, applied: applied.map(toWire), note },
    `${date} corrected: ${values.join(', ')}\n${note}`,
  );
}

function toWire(correction: SeenCorrection): Record<string, string | null> {
  return {
    date: correction.version,
    currency: correction.field,
    published: correction.stored,
    upstream: correction.upstream,
    seenAt: correction.seenAt,
  };
}
