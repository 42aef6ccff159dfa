import { parseDecimal } from '../../platform/values/decimal.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { addErratum, type NewErratum, removeErratum } from '../../rates/errata/add-erratum.ts';
import { listErrata } from '../../rates/errata/errata-store.ts';
import {
  fieldPattern,
  type FieldValue,
  filterErrata,
  isSameValue,
  valueInWords,
} from '../../rates/errata/erratum.ts';
import { toWire } from '../../rates/errata/routes.ts';
import { parseMemberState } from '../../rates/read-member-state.ts';
import { sortRates } from '../../rates/snapshot.ts';
import { type Io, CommandFailure, type Report, UsageError } from '../report.ts';
import { operatorOf, type ReasonOption } from '../operator.ts';
import { readDate } from '../options.ts';
import { withCore } from '../with-core.ts';

/** Lists the errata of the program and of operators. */
export async function list(
  io: Io,
  options: { readonly country?: string; readonly date?: string },
): Promise<Report> {
  const country = options.country === undefined ? undefined : readCountry(options.country);
  const date = options.date === undefined ? undefined : readDate('--date', options.date);
  const all = await withCore(io, async ({ db }) => listErrata(db));
  const found = filterErrata(all, { country, date });
  return {
    document: found.map(toWire),
    text: {
      rows: found.map((erratum) => ({
        id: erratum.id,
        country: erratum.country,
        field: erratum.field,
        from: erratum.from,
        to: erratum.to,
        TEDB: valueInWords(erratum.source),
        law: valueInWords(erratum.law),
        'legal basis': erratum.legalBasis,
        'fixed in': erratum.fixedInSource,
        by: erratum.by ?? 'vatfx',
      })),
      empty: 'No erratum is known.',
    },
  };
}

type AddOptions = ReasonOption & {
  readonly country: string;
  readonly field: string;
  readonly from: string;
  readonly to?: string;
  readonly source: string;
  readonly law: string;
  readonly legalBasis: string;
  readonly reference?: string;
};

/** Adds an operator's erratum. */
export async function add(io: Io, options: AddOptions): Promise<Report> {
  const erratum = readErratum(options);
  const by = operatorOf(io, options);
  const { country, field, from, to, source, law } = erratum;
  const added = await withCore(io, async ({ db, clock }) =>
    addErratum(db, erratum, { at: formatInstant(clock.now()), by }),
  );
  switch (added.kind) {
    case 'overlaps':
      throw new CommandFailure(
        `${added.id} is about the same rate on some of these days; "errata list --country ${country}" shows it`,
      );
    case 'contradicted':
      throw new CommandFailure(
        `/rates/${added.version} has ${valueInWords(added.published)} for ${country} ${field}, which is neither --source nor --law`,
      );
    case 'added':
      return {
        document: toWire({
          ...erratum,
          id: added.id,
          note: null,
          by: 'operator',
          fixedInSource: null,
        }),
        text: `${added.id} added: ${country} ${field}, TEDB ${valueInWords(source)}, law ${valueInWords(law)}, from ${from}${to === null ? '' : ` to ${to}`}`,
      };
  }
}

/** Removes an operator's erratum. */
export async function remove(io: Io, id: string, options: ReasonOption): Promise<Report> {
  const by = operatorOf(io, options);
  const isRemoved = await withCore(io, async ({ db, clock }) =>
    removeErratum(db, id, { at: formatInstant(clock.now()), by }),
  );
  if (!isRemoved) {
    throw new CommandFailure(
      `${id} is not an erratum that an operator added; "errata list" shows who added each`,
    );
  }
  return { document: { id, state: 'removed' }, text: `${id} removed` };
}

function readErratum(options: AddOptions): NewErratum {
  const { field } = options;
  if (!fieldPattern.test(field)) {
    throw new UsageError(
      `--field is ${field}, expected standard, super_reduced, parking, reduced[0] or reduced`,
    );
  }
  const from = readDate('--from', options.from);
  const to = options.to === undefined ? null : readDate('--to', options.to);
  if (to !== null && to < from) throw new UsageError(`--to is ${to}, expected a day after --from`);
  const source = readValue('--source', options.source, field);
  const law = readValue('--law', options.law, field);
  if (isSameValue(source, law)) {
    throw new UsageError('--law is the value of --source, expected another one');
  }
  return {
    country: readCountry(options.country),
    field,
    from,
    to,
    source,
    law,
    legalBasis: readText('--legal-basis', options.legalBasis),
    reference: options.reference === undefined ? null : readText('--reference', options.reference),
  };
}

/** Reads a Member State; Greece is `GR` or `EL`. */
function readCountry(text: string): string {
  const country = parseMemberState(text);
  if (country === undefined) {
    throw new UsageError(`--country is ${text}, expected the code of a Member State such as DE`);
  }
  return country;
}

/** Reads a rate or `none`; for the field `reduced` several rates, in any order. */
function readValue(name: string, text: string, field: string): FieldValue {
  const isList = field === 'reduced';
  if (text === 'none') return isList ? [] : null;
  const decimals = (isList ? text.split(',') : [text]).map((one) => {
    const decimal = parseDecimal(one.trim());
    if (decimal !== undefined && Number(decimal) <= 100) return decimal;
    const form = isList ? 'rates such as 5,10' : 'a rate such as 5.5';
    throw new UsageError(`${name} is ${text}, expected ${form}, or none`);
  });
  return isList ? sortRates(decimals) : (decimals[0] ?? null);
}

const textMax = 500;

function readText(name: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > textMax || /\p{Cc}/u.test(trimmed)) {
    throw new UsageError(
      `${name} is empty, longer than ${textMax} characters or has a line break, expected a sentence`,
    );
  }
  return trimmed;
}
