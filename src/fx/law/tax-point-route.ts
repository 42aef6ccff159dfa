import { invalidField, unknownParameter } from '../../platform/http/responses/api-errors.ts';
import type { RouteInput } from '../../platform/http/routes/cached-routes.ts';
import { readDate } from '../../platform/http/routes/date-parameters.ts';
import { readParameter } from '../../platform/http/routes/query-parameters.ts';
import {
  bankExpected,
  bankExpectedFor,
  countriesOf,
  countryExpected,
  findNational,
  type LawBank,
  type NationalCountry,
  nationalLaws,
  parseLawBank,
  parseNationalCountry,
} from './national-rules.ts';
import type { LawRoute } from './routes.ts';
import {
  applyTaxPointRule,
  parseTaxPoint,
  type TaxedSupply,
  taxPointExpected,
} from './tax-points.ts';

/** A tax point as it was requested, and as it was read. */
type TaxPointParameters = TaxedSupply & { readonly asked: string };

/** `/fx/vat/<tax point>`: the rate for VAT, by the Directive or by the law of a country (legal-fx L1, rule N4). */
export const taxPointRoute: LawRoute<TaxPointParameters> = {
  url: '/fx/vat/:taxPoint',
  operation: 'getVatFx',
  query: ['country', 'bank', 'issued'],
  read: ({ params, query }) => {
    const asked = params['taxPoint'] ?? '';
    const taxPoint = parseTaxPoint(asked);
    if (taxPoint === undefined) throw invalidField('taxPoint', taxPointExpected);
    const { country, bank } = readLaw(query);
    const knowsIssue =
      country !== null && findNational(country, bank)?.lawIfIssuedBefore !== undefined;
    if (!knowsIssue && query['issued'] !== undefined) throw unknownParameter('issued');
    const issued = readDate(query, 'issued') ?? null;
    return { asked, taxPoint, country, bank, issued };
  },
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

/** Reads country and bank, or throws the 400 (rule N13). */
function readLaw(query: RouteInput['query']): {
  readonly country: NationalCountry | null;
  readonly bank: LawBank;
} {
  const bank = readParameter(query, 'bank', parseLawBank, bankExpected);
  if (bank === undefined) {
    const country = readParameter(query, 'country', parseNationalCountry, countryExpected);
    if (country !== undefined && !nationalLaws[country].isKnownWithoutBank) {
      throw invalidField('bank', bankExpectedFor(country));
    }
    return { country: country ?? null, bank: 'ecb' };
  }
  const expected = `${countriesOf(bank)} for bank ${bank}`;
  const text = readParameter(query, 'country', (given) => given, expected);
  if (text === undefined) throw invalidField('country', expected);
  const country = parseNationalCountry(text);
  if (country === undefined || findNational(country, bank) === undefined) {
    throw invalidField('bank', 'a bank of that country');
  }
  return { country, bank };
}
