import {
  ApiError,
  invalidField,
  unknownParameter,
} from '../../platform/http/responses/api-errors.ts';
import type { PublishedSnapshots } from '../../platform/http/responses/published-snapshots.ts';
import { createRepresentation } from '../../platform/http/responses/representation.ts';
import type { CachedRoute, CachedRoutes } from '../../platform/http/routes/cached-routes.ts';
import { addWithCsv, type PathSuffix } from '../../platform/http/routes/csv-routes.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { dateNotFound } from '../../platform/publication/routes.ts';
import type { Clock, IsoDate } from '../../platform/time/time.ts';
import type { Known } from '../absences/absence.ts';
import { findDeciding } from './deciding-publication.ts';
import { getCustomsFx, getIossFx, getOssFx, getVatFx } from './definitions.ts';
import {
  bankExpectedFor,
  countriesOf,
  countryExpected,
  findNational,
  type LawBank,
  type NationalCountry,
  nationalLaws,
  parseNationalCountry,
} from './national-rules.ts';
import type { Period } from './periods.ts';
import {
  customsLaw,
  nameDayOfCustoms,
  nameDayOfReturn,
  type NamedDay,
  returnLaws,
} from './rules.ts';
import { applyTaxPointRule, type TaxedSupply } from './tax-points.ts';
import { type DecidingBody, lawTable, type LawRequest, printLawAnswer } from './wire.ts';

/** The publications of a bank. */
type LawSource = { readonly published: PublishedSnapshots; readonly known: Known };

/** The publications of the ECB and of the enabled banks. */
export type LawSources = Readonly<Partial<Record<LawBank, LawSource>>>;

type LawRouteParts = {
  readonly cachedRoutes: Pick<CachedRoutes, 'add'>;
  readonly sources: LawSources;
  readonly clock: Clock;
};

/** A request, the bank and the day that the law names for it, and the name of its CSV file without `.csv`. */
type Question = LawRequest & {
  readonly bank: LawBank;
  readonly named: NamedDay;
  readonly fileName: string;
};

type PeriodParameters = { readonly period: Period };

type LawRoute<Parameters> = Omit<CachedRoute<Parameters>, 'find' | 'findFree'> & {
  readonly toQuestion: (parameters: Parameters) => Question;
};

/** Adds the routes of the exchange rates that laws mean, as JSON and as CSV (legal-fx L1). */
export function addLawRoutes(parts: LawRouteParts): void {
  addLawRoute(parts, { ...readAs(getOssFx), ...returnRoute('oss') });
  addLawRoute(parts, { ...readAs(getIossFx), ...returnRoute('ioss') });
  addLawRoute(parts, customsRoute);
  addLawRoute(parts, taxPointRoute);
}

function addLawRoute<Parameters>(
  { cachedRoutes, sources, clock }: LawRouteParts,
  { toQuestion, ...route }: LawRoute<Parameters>,
): void {
  addWithCsv(cachedRoutes, {
    ...route,
    find: async (parameters, suffix) => {
      const question = toQuestion(parameters);
      const source = sources[question.bank];
      if (source === undefined) throw new ApiError('fxBankNotEnabled');
      const { date, isFinal } = decide(question, source.known, { nowMs: clock.now(), suffix });
      const body = await source.published.findBody(date);
      // The database lags behind this process, after it was replaced by its own replica for example.
      if (body === undefined) throw notPublished(databaseLagMs);
      const policy = isFinal ? ('immutable' as const) : ('changes' as const);
      return { data: { question, found: { date, body } }, policy };
    },
    toJson: ({ question, found }) => createRepresentation(printLawAnswer(question, found)),
    toCsv: ({ question, found }: { question: Question; found: DecidingBody }) => ({
      name: question.fileName,
      table: lawTable(question, found),
    }),
  });
}

const databaseLagMs = 5_000;

/** The publication that the law means, or throws the 404 if it is not certain (legal-fx L4). */
function decide(
  { bank, named }: Question,
  known: Known,
  { nowMs, suffix }: { readonly nowMs: number; readonly suffix: PathSuffix },
): { readonly date: IsoDate; readonly isFinal: boolean } {
  const deciding = findDeciding(named, known, nowMs);
  switch (deciding.kind) {
    case 'certain':
      return deciding;
    case 'beforeData':
      throw new ApiError('fxSnapshotNotFound');
    case 'notDecidable': {
      const [previous, next] = deciding.dates;
      const path = `/fx/${bank}`;
      throw dateNotFound('fxNotDecidable', { path, suffix }, { previous, next });
    }
    case 'notYet':
      throw notPublished(deciding.availableMs - nowMs);
  }
}

function notPublished(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ApiError('fxRateNotPublished', { 'retry-after': String(seconds) });
}

function returnRoute(rule: keyof typeof returnLaws) {
  return {
    url: `/fx/${rule}/:period`,
    toQuestion: ({ period }: PeriodParameters): Question => ({
      bank: 'ecb',
      head: { rule, period: period.period, periodEnd: period.last },
      named: nameDayOfReturn(period),
      // A currency that was the euro on the first day cannot be that of the period.
      fixed: { after: period.first, through: null },
      law: returnLaws[rule],
      fileName: `fx-${rule}-${period.period}`,
    }),
  };
}

const customsRoute: LawRoute<PeriodParameters> = {
  ...readAs(getCustomsFx),
  url: '/fx/customs/:period',
  toQuestion: ({ period }) => {
    const named = nameDayOfCustoms(period);
    return {
      bank: 'ecb',
      head: { rule: 'customs', period: period.period, decidedOn: named.date },
      named,
      fixed: { after: null, through: period.first },
      law: customsLaw,
      fileName: `fx-customs-${period.period}`,
    };
  },
};

/** A tax point as it was requested, and as it was read. */
type TaxPointParameters = TaxedSupply & { readonly asked: string };

/** `/fx/vat/<tax point>`: the rate for VAT, by the Directive or by the law of a country (legal-fx L1, rule N4). */
const taxPointRoute: LawRoute<TaxPointParameters> = {
  ...readAs(getVatFx, ({ taxPoint, country: sent, bank: named, issued }) => {
    const { country, bank } = readLaw(sent, named);
    const knowsIssue =
      country !== null && findNational(country, bank)?.lawIfIssuedBefore !== undefined;
    if (!knowsIssue && issued !== undefined) throw unknownParameter('issued');
    return { ...taxPoint, country, bank, issued: issued ?? null };
  }),
  url: '/fx/vat/:taxPoint',
  toQuestion: ({ asked, ...supply }) => {
    const { taxPoint, country, bank, issued } = supply;
    const { named, day, law } = applyTaxPointRule(supply);
    const isNational = bank !== 'ecb';
    const names = ['fx-vat', asked.replaceAll(/[^\w.-]/g, '-'), country ?? []];
    return {
      bank,
      head: {
        rule: 'vat',
        taxPoint: asked,
        ...(issued === null && !isNational ? {} : { issued }),
        basis: taxPoint.basis,
        country,
      },
      named,
      fixed: isNational ? undefined : { after: null, through: day },
      law,
      fileName: [...names, isNational ? bank : [], issued === null ? [] : `issued-${issued}`]
        .flat()
        .join('-'),
    };
  },
};

/** Judges the country as it was sent with its bank, or throws the 400 (rule N13). */
function readLaw(
  sent: unknown,
  bank: LawBank | undefined,
): { readonly country: NationalCountry | null; readonly bank: LawBank } {
  const isText = typeof sent === 'string' && sent !== '';
  const country = isText ? parseNationalCountry(sent) : undefined;
  if (bank === undefined) {
    if (sent === undefined) return { country: null, bank: 'ecb' };
    if (country === undefined) throw invalidField('country', countryExpected);
    if (!nationalLaws[country].isKnownWithoutBank) {
      throw invalidField('bank', bankExpectedFor(country));
    }
    return { country, bank: 'ecb' };
  }
  if (!isText) throw invalidField('country', `${countriesOf(bank)} for bank ${bank}`);
  if (country === undefined || findNational(country, bank) === undefined) {
    throw invalidField('bank', 'a bank of that country');
  }
  return { country, bank };
}
