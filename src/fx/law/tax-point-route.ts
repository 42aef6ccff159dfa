import { invalidField, unknownParameter } from '../../platform/http/responses/api-errors.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { getVatFx } from './definitions.ts';
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
import type { LawRoute } from './routes.ts';
import { applyTaxPointRule, type TaxedSupply } from './tax-points.ts';

/** A tax point as it was requested, and as it was read. */
type TaxPointParameters = TaxedSupply & { readonly asked: string };

/** `/fx/vat/<tax point>`: the rate for VAT, by the Directive or by the law of a country (legal-fx L1, rule N4). */
export const taxPointRoute: LawRoute<TaxPointParameters> = {
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
