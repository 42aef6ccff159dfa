import { formatInstant } from '../../platform/time/time.ts';
import { vatfx } from '../../platform/vatfx.ts';
import { addErratum, ofOperator, removeErratum } from '../../rates/errata/add-erratum.ts';
import { addGoodsErratum, type GoodsAddition } from '../../rates/errata/add-goods-erratum.ts';
import { toWireNational, toWireGoods } from '../../rates/errata/errata-wire.ts';
import { listErrata, listGoodsErrata } from '../../rates/errata/errata-store.ts';
import { filterErrata, listKinds, valueInWords } from '../../rates/errata/erratum.ts';
import type { Taxation } from '../../rates/errata/goods-erratum.ts';
import { type Io, CommandFailure, type Report, UsageError } from '../report.ts';
import { operatorOf, type ReasonOption } from '../operator.ts';
import { readDate } from '../options.ts';
import { withDatabase } from '../with-database.ts';
import { type AddOptions, readCountry, readErratum, readGoodsErratum } from './erratum-options.ts';

type ListOptions = {
  readonly kind: string;
  readonly country?: string;
  readonly date?: string;
};

/** Lists the errata of the program and of operators: those of national rates, then those of goods. */
export async function list(io: Io, options: ListOptions): Promise<Report> {
  const kind = listKinds.find((one) => one === options.kind);
  if (kind === undefined) {
    throw new UsageError(`--kind is ${options.kind}, expected national, goods or all`);
  }
  const country = options.country === undefined ? undefined : readCountry(options.country);
  const date = options.date === undefined ? undefined : readDate('--date', options.date);
  const all = await withDatabase(io, async ({ db }) => ({
    national: kind === 'goods' ? [] : await listErrata(db),
    goods: kind === 'national' ? [] : await listGoodsErrata(db),
  }));
  const national = filterErrata(all.national, { country, date });
  const goods = filterErrata(all.goods, { country, date });
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
}

/** Adds an operator's erratum, of a national rate or of goods. */
export async function add(io: Io, options: AddOptions): Promise<Report> {
  return options.field === undefined
    ? addOfGoods(io, options)
    : addNational(io, options, options.field);
}

async function addNational(io: Io, options: AddOptions, name: string): Promise<Report> {
  const erratum = readErratum(options, name);
  const by = operatorOf(io, options);
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

async function addOfGoods(io: Io, options: AddOptions): Promise<Report> {
  const erratum = readGoodsErratum(options);
  const by = operatorOf(io, options);
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

/** Removes an operator's erratum. */
export async function remove(io: Io, id: string, options: ReasonOption): Promise<Report> {
  const by = operatorOf(io, options);
  const isRemoved = await withDatabase(io, async ({ db, clock }) =>
    removeErratum(db, id, { at: formatInstant(clock.now()), by }),
  );
  if (!isRemoved) {
    throw new CommandFailure(
      `${id} is not an erratum that an operator added; "${vatfx('errata list')}" shows who added each`,
    );
  }
  return { document: { id, state: 'removed' }, text: `${id} removed` };
}
