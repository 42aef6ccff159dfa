import { choice } from '../../platform/fields/field.ts';
import { banks, seriesByName } from '../../fx/banks/banks.ts';
import { correctPublication } from '../../fx/publishing/corrections.ts';
import {
  listCorrections,
  type SeenCorrection,
} from '../../platform/publication/correction-store.ts';
import { bankNames, listKinds } from '../../platform/publication/data-set-kinds.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { changing, type NamedCommand, reporting, withDefault } from '../command/command.ts';
import { CommandFailure } from '../command/report.ts';
import { dateArgument } from '../command/options.ts';
import { withDatabase } from '../running/with-database.ts';
import { closingCommands } from './closings.ts';

type SeriesName = keyof typeof seriesByName;

const names = Object.keys(seriesByName) as SeriesName[];

/** The banks are the ECB and those in FX_BANKS. */
const corrections = reporting({
  words: 'corrections',
  says: 'list published values that their bank has changed since',
  examples: ['fx corrections'],
  run: async (io) => {
    const { open, hasBanks } = await withDatabase(io, async ({ db, config }) => ({
      open: (await listCorrections(db)).filter(
        ({ kind }) => kind !== 'rates' && listKinds(config).includes(kind),
      ),
      hasBanks: config.fxBanks.length > 0,
    }));
    const rows = open.map((one) => ({
      ...(hasBanks
        ? { bank: names.find((name) => seriesByName[name].kind === one.kind) ?? '' }
        : {}),
      ...toWire(one),
    }));
    return {
      document: rows,
      text: {
        rows: rows.map(({ seenAt, ...row }) => ({ ...row, 'seen at': seenAt })),
        empty: `There are no corrections: ${hasBanks ? 'no bank has changed a' : 'the ECB has changed no'} published value.`,
      },
    };
  },
});

const correct = changing({
  words: 'correct <date>',
  says: 'apply the corrections of a date; caches may still hold the old body',
  examples: ['fx correct 2026-11-19'],
  argument: dateArgument,
  options: {
    bank: withDefault('<bank>', `ecb, ${bankNames.join(' or ')}`, {
      byDefault: 'ecb',
      form: choice(names, names.join(', ')),
    }),
  },
  run: async (io, { argument: day, options: { bank }, by }) => {
    const applied = await withDatabase(io, async ({ db, clock }) =>
      correctPublication(db, seriesByName[bank], { date: day, at: formatInstant(clock.now()), by }),
    );
    const path = bank === 'ecb' ? `/fx/${day}` : `/fx/${bank}/${day}`;
    if (applied.length === 0) {
      const of = bank === 'ecb' ? '' : ` of ${banks[bank].title}`;
      throw new CommandFailure(
        `there is no correction${of} for ${day}; "${vatfx('fx corrections')}" lists all corrections`,
      );
    }
    const values = applied.map((c) => `${c.field} ${c.stored ?? '-'} → ${c.upstream ?? '-'}`);
    const note = `${path} was answered as immutable: caches may hold the old body for up to a year`;
    return {
      document: { date: day, applied: applied.map(toWire), note },
      text: `${day} corrected: ${values.join(', ')}\n${note}`,
    };
  },
});

export const fxCommands: readonly NamedCommand[] = [corrections, correct, ...closingCommands];

function toWire(correction: SeenCorrection) {
  return {
    date: correction.version,
    currency: correction.field,
    published: correction.stored,
    upstream: correction.upstream,
    seenAt: correction.seenAt,
  };
}
