import { banks, seriesByName } from '../../fx/banks/banks.ts';
import { correctPublication } from '../../fx/publishing/corrections.ts';
import {
  listCorrections,
  type SeenCorrection,
} from '../../platform/publication/correction-store.ts';
import { listKinds } from '../../platform/publication/data-set-kinds.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { type Io, CommandFailure, type Report, UsageError } from '../report.ts';
import { operatorOf, type ReasonOption } from '../operator.ts';
import { readDate } from '../options.ts';
import { withDatabase } from '../with-database.ts';

type SeriesName = keyof typeof seriesByName;

const names = Object.keys(seriesByName) as SeriesName[];

/** Lists published values that the ECB, or a bank in FX_BANKS, has changed since. */
export async function showCorrections(io: Io): Promise<Report> {
  const { open, hasBanks } = await withDatabase(io, async ({ db, config }) => ({
    open: (await listCorrections(db)).filter(
      ({ kind }) => kind !== 'rates' && listKinds(config).includes(kind),
    ),
    hasBanks: config.fxBanks.length > 0,
  }));
  const rows = open.map((one) => ({
    ...(hasBanks ? { bank: names.find((name) => seriesByName[name].kind === one.kind) ?? '' } : {}),
    ...toWire(one),
  }));
  return {
    document: rows,
    text: {
      rows: rows.map(({ seenAt, ...row }) => ({ ...row, 'seen at': seenAt })),
      empty: `There are no corrections: ${hasBanks ? 'no bank has changed a' : 'the ECB has changed no'} published value.`,
    },
  };
}

/** Applies the corrections of a date. */
export async function correct(
  io: Io,
  text: string,
  options: ReasonOption & { readonly bank: string },
): Promise<Report> {
  const date = readDate('the date', text);
  const by = operatorOf(io, options);
  const bank = names.find((name) => name === options.bank);
  if (bank === undefined) {
    throw new UsageError(`--bank is ${options.bank}, expected ${names.join(', ')}`);
  }
  const applied = await withDatabase(io, async ({ db, clock }) =>
    correctPublication(db, seriesByName[bank], { date, at: formatInstant(clock.now()), by }),
  );
  const path = bank === 'ecb' ? `/fx/${date}` : `/fx/${bank}/${date}`;
  if (applied.length === 0) {
    const of = bank === 'ecb' ? '' : ` of ${banks[bank].title}`;
    throw new CommandFailure(
      `there is no correction${of} for ${date}; "${vatfx('fx corrections')}" lists all corrections`,
    );
  }
  const values = applied.map((c) => `${c.field} ${c.stored ?? '-'} → ${c.upstream ?? '-'}`);
  const note = `${path} was answered as immutable: caches may hold the old body for up to a year`;
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
