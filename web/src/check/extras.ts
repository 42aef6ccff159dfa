import { parseRequester } from '../../../src/vat-check/numbers/requester.ts';
import { withCountry, withoutSeparators } from '../../../src/vat-check/numbers/vat-number.ts';
import type { CheckInput } from '../wire.ts';

/** Fields that a visitor may add to a check or a watch; '' if a field is left out. */
export type Extras = {
  readonly requester: string;
  readonly reference: string;
  readonly name: string;
  readonly street: string;
  readonly postcode: string;
  readonly city: string;
  readonly companyType: string;
};

export const noExtras: Extras = {
  requester: '',
  reference: '',
  name: '',
  street: '',
  postcode: '',
  city: '',
  companyType: '',
};

/**
 * Empties the fields that were sent with a number and not changed since: they belong to that number. The requester is the
 * same for other numbers.
 */
export function withoutSent(now: Extras, sent: Extras): Extras {
  const changed = Object.entries(now).filter(([name, text]) => text !== sent[name as keyof Extras]);
  return { ...noExtras, ...Object.fromEntries(changed), requester: now.requester };
}

/** A body before it is JSON, which leaves out fields that are undefined. */
export type Body<T> = { readonly [Field in keyof T]: T[Field] | undefined };

/** The fields in the form of a request. */
export type RequestFields = Required<Body<Pick<CheckInput, 'requester' | 'trader' | 'reference'>>>;

/** Reads the fields. The fault is a sentence for the visitor. */
export function readExtras(
  written: Extras,
):
  | { readonly kind: 'read'; readonly fields: RequestFields }
  | { readonly kind: 'refused'; readonly fault: string } {
  const { requester: own = '', reference, ...trader } = presentFields(written);
  const requester = parseRequester(withoutSeparators(own)?.slice(0, 2) ?? '', own);
  if (own !== '' && requester === undefined) {
    const fault =
      'Your own VAT number cannot be read. It needs the letters of its country in front.';
    return { kind: 'refused', fault };
  }
  const isTrader = Object.keys(trader).length > 0;
  return {
    kind: 'read',
    fields: {
      requester: requester && withCountry(requester),
      trader: isTrader ? trader : undefined,
      reference,
    },
  };
}

/** The fields of one number of a table: its own customer and reference go before those of the form. */
export function fieldsOfNumber(
  fields: RequestFields,
  own: {
    readonly trader?: Readonly<Record<string, string>> | undefined;
    readonly reference?: string | undefined;
  },
): RequestFields {
  const { reference = fields.reference } = own;
  const trader = own.trader === undefined ? fields.trader : { ...fields.trader, ...own.trader };
  return { ...fields, trader, reference };
}

/** The fields that are not left out, without blanks around them. */
function presentFields(extras: Extras): Readonly<Record<string, string>> {
  const trimmed = Object.entries(extras).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}
