import { choice } from '../../platform/fields/field.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import {
  addErratum,
  type NewErratum,
  ofOperator,
  removeErratum,
} from '../../rates/errata/add-erratum.ts';
import { addGoodsErratum, type GoodsAddition } from '../../rates/errata/add-goods-erratum.ts';
import { toWireNational, toWireGoods } from '../../rates/errata/errata-wire.ts';
import { listErrata, listGoodsErrata } from '../../rates/errata/errata-store.ts';
import { filterErrata, listKinds, valueInWords } from '../../rates/errata/erratum.ts';
import type { Taxation } from '../../rates/errata/goods-erratum.ts';
import {
  changing,
  type Given,
  type NamedCommand,
  option,
  reporting,
  withDefault,
} from '../command/command.ts';
import type { Operator } from '../../platform/database/audit.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, type Report, UsageError } from '../command/report.ts';
import { dateField } from '../../platform/fields/dates.ts';
import { withDatabase } from '../running/with-database.ts';
import { addOptions, memberState, readErratum, readGoodsErratum } from './erratum-options.ts';

/** Errata of national rates come first, then those of goods. */
const list = reporting({
  words: 'list',
  says: 'list them, those of the program and your own',
  examples: ['errata list', 'errata list --country DE --date 2020-09-15'],
  options: {
    kind: withDefault('<kind>', 'national (rates of countries), goods, or all', {
      byDefault: 'all',
      form: choice(listKinds, 'national, goods or all'),
    }),
    country: option('<code>', 'only those of this Member State', memberState),
    date: option('<date>', 'only those that hold on this day', dateField),
  },
  run: async (io, { options: { kind, country, date: day } }) => {
    const all = await withDatabase(io, async ({ db }) => ({
      national: kind === 'goods' ? [] : await listErrata(db),
      goods: kind === 'national' ? [] : await listGoodsErrata(db),
    }));
    const national = filterErrata(all.national, { country, date: day });
    const goods = filterErrata(all.goods, { country, date: day });
    const rows = [
      ...national.map((one) => ({
        ...one,
        about: one.field,
        TEDB: valueInWords(one.source),
        law: valueInWords(one.law),
      })),
      ...goods.map((one) => ({
        ...one,
        about: `${one.category} ${one.codeKind} ${one.codes.join(' ')}`,
        TEDB: taxationInWords(one.source),
        law: taxationInWords(one.law),
      })),
    ];
    return {
      document: [...national.map(toWireNational), ...goods.map(toWireGoods)],
      text: {
        rows: rows.map((one) => ({
          id: one.id,
          country: one.country,
          about: one.about,
          from: one.from,
          to: one.to,
          TEDB: one.TEDB,
          law: one.law,
          'legal basis': one.legalBasis,
          'fixed in': one.fixedInSource,
          by: one.by ?? 'vatfx',
        })),
        empty: 'No erratum is known.',
      },
    };
  },
});

const add = changing({
  words: 'add',
  says: 'add one of your own: of a national rate (--field), or of goods (--category with --cn or --cpa); callers see it beside the rates, which do not change',
  examples: [
    'errata add --country IE --field standard --from 2026-03-01 --source 23 --law 21 --legal-basis "the law, with its article"',
    'errata add --country IE --category CHILD_WEAR --cn 6111 --from 2026-03-01 --source none --law zero --legal-basis "the law, with its article"',
  ],
  options: addOptions,
  run: async (io, { options, by }) =>
    options.field === undefined
      ? addOfGoods(io, options, by)
      : addNational(io, readErratum(options, options.field), by),
});

async function addNational(io: Io, erratum: NewErratum, by: Operator): Promise<Report> {
  const { country, field, from, to, source, law } = erratum;
  const added = await withDatabase(io, async ({ db, clock }) =>
    addErratum(db, erratum, { at: formatInstant(clock.now()), by }),
  );
  switch (added.kind) {
    case 'overlaps':
      throw overlapping(added.id, country);
    case 'contradicted':
      throw new CommandFailure(
        `/rates/${added.version} has ${valueInWords(added.published)} for ${country} ${field}, which is not --source; if TEDB has corrected it, end the span before that day with --to`,
      );
    case 'added':
      return {
        document: toWireNational({ ...erratum, ...ofOperator, id: added.id, fixedInSource: null }),
        text: `${added.id} added: ${country} ${field}, TEDB ${valueInWords(source)}, law ${valueInWords(law)}, ${daysInWords(from, to)}`,
        ...(added.isCompared ? {} : { note: comparedWithNothing }),
      };
  }
}

async function addOfGoods(
  io: Io,
  options: Given<typeof addOptions>,
  by: Operator,
): Promise<Report> {
  const erratum = readGoodsErratum(options);
  const { country, category, codeKind, codes, from, to, source, law } = erratum;
  const about = `${country} ${category} ${codeKind} ${codes.join(' ')}`;
  const added: GoodsAddition = await withDatabase(io, async ({ db, clock }) =>
    addGoodsErratum(db, erratum, { at: formatInstant(clock.now()), by }),
  );
  switch (added.kind) {
    case 'overlaps':
      throw overlapping(added.id, country);
    case 'unknownCategory':
      throw new UsageError(
        `--category is ${category}, expected a category of the newest stored rates such as FOODSTUFFS; /rates/categories/list has all`,
      );
    case 'contradicted':
      throw new UsageError(
        `--source is ${options.source}, but no stored day of the span has ${source === null ? 'no such row' : 'such a row'} for ${about}; the newest is ${added.version}`,
      );
    case 'added': {
      const sentence = `${added.erratum.id} added: ${about}, TEDB ${taxationInWords(source)}, law ${taxationInWords(law)}, ${daysInWords(from, to)}`;
      return {
        document: toWireGoods({ ...added.erratum, fixedInSource: null }),
        text: sentence,
        ...(added.isCompared ? {} : { note: comparedWithNothing }),
      };
    }
  }
}

const comparedWithNothing = 'No day of the span is stored, so --source was compared with nothing.';

function overlapping(id: string, country: string): CommandFailure {
  return new CommandFailure(
    `${id} is about the same rate on some of these days; "${vatfx(`errata list --country ${country}`)}" shows it`,
  );
}

function daysInWords(from: string, to: string | null): string {
  return `from ${from}${to === null ? '' : ` to ${to}`}`;
}

/** The treatment of a supply for a person: `5.5`, `zero`, or `no row`. */
function taxationInWords(taxation: Taxation | null): string {
  if (taxation === null) return 'no row';
  return taxation.treatment === 'rate' ? String(taxation.rate) : taxation.treatment;
}

const remove = changing({
  words: 'remove <id>',
  says: 'remove one of your own',
  examples: ['errata remove err_3f9a1c5be0d277483f9a1c5b'],
  run: async (io, { argument: id, by }) => {
    const isRemoved = await withDatabase(io, async ({ db, clock }) =>
      removeErratum(db, id, { at: formatInstant(clock.now()), by }),
    );
    if (!isRemoved) {
      throw new CommandFailure(
        `${id} is not an erratum that an operator added; "${vatfx('errata list')}" shows who added each`,
      );
    }
    return { document: { id, state: 'removed' }, text: `${id} removed` };
  },
});

export const errataCommands: readonly NamedCommand[] = [list, add, remove];
