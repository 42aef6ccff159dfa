import type { PageRequest } from '../../../platform/database/bounded-page.ts';
import {
  choice,
  matching,
  optional,
  refined,
  refuse,
  text,
} from '../../../platform/fields/field.ts';
import { boolean, string } from '../../../platform/fields/schema.ts';
import type { Parameters, ValuesOf } from '../../../platform/http/routes/define-route.ts';
import { momentForm, parseMoment } from '../../../platform/http/routes/instant-parameter.ts';
import { cursorParameter, limitParameter } from '../../../platform/http/routes/list-parameters.ts';
import { parseVatNumber, toRegistryCode, type VatNumber } from '../../numbers/vat-number.ts';
import { viesCodes } from '../../numbers/vat-number-formats.ts';
import { idForms } from '../ids.ts';
import type { CheckFilter } from './check-filter.ts';
import { referenceText } from './request-fields.ts';
import { checkStatuses } from '../stored-check.ts';

/** The number of checks on a page without `limit`, and the largest one (rule K11). */
export const checkPageLimits = { byDefault: 100, max: 500 } as const;

/** A moment, in epoch milliseconds. */
const moment = text(string(), momentForm, (given) => {
  const instant = parseMoment(given);
  return instant === undefined ? undefined : Date.parse(instant);
});

const notBeforeSince = "a moment not before 'since'";

/** The query parameters of a list of checks (rule K11). */
export const listParameters = {
  status: {
    field: optional(choice(checkStatuses, 'pending, answered, rejected or expired')),
    description: 'Only checks with this status.',
    example: 'pending',
  },
  valid: {
    field: optional(refined(choice(['true', 'false'], 'true or false', boolean()), toBoolean)),
    description: 'Only answered checks with this answer.',
    example: false,
  },
  countryCode: {
    field: optional(text(string(), '2-letter ISO code', toCountry)),
    description: 'Only checks of this country.',
    example: 'ES',
  },
  vatNumber: {
    field: optional(
      text(string(), 'a VAT number', (given, { countryCode }) =>
        readNumbers(given, countryCode as string | undefined),
      ),
    ),
    description:
      'Only checks of this number, in any spelling. Without `countryCode` those of any country.',
    example: 'ESB99999902',
  },
  reference: {
    field: optional(referenceText),
    description: 'Only checks with exactly this reference.',
    example: 'cust_1001',
  },
  referencePrefix: {
    field: optional(referenceText),
    description: 'Only checks whose reference begins with this text.',
    example: 'cust_',
  },
  batchId: {
    field: optional(matching(idForms.vb, 'a batchId', string())),
    description: 'Only checks of this batch.',
  },
  since: {
    field: optional(moment),
    description:
      'Only checks that were created at this moment or later. A date stands for its start in UTC.',
    example: '2026-11-01',
  },
  until: {
    field: optional(
      refined(moment, (untilMs, at) => {
        const sinceMs = at.before['since'] as number | undefined;
        return sinceMs !== undefined && untilMs < sinceMs ? refuse(at, notBeforeSince) : untilMs;
      }),
    ),
    description: 'Only checks that were created before this moment, which is not before `since`.',
    example: '2026-12-01T00:00:00Z',
    refusals: [{ expected: notBeforeSince, when: '`until` is before `since`.' }],
  },
  cursor: cursorParameter(idForms.vc),
  limit: limitParameter('checks', checkPageLimits),
} satisfies Parameters;

/** A page of checks that a caller requests. */
export type ListQuery = { readonly filter: CheckFilter; readonly page: PageRequest };

export function toListQuery(read: ValuesOf<typeof listParameters>): ListQuery {
  const { cursor, limit, countryCode, vatNumber, since, until, ...others } = read;
  return {
    filter: {
      ...others,
      registryCode: countryCode,
      numbers: vatNumber,
      sinceMs: since,
      untilMs: until,
    },
    page: { cursor, limit },
  };
}

function toBoolean(text: 'true' | 'false'): boolean {
  return text === 'true';
}

/** A registry code, or the code of a country that has no registry: no check has one. */
function toCountry(text: string): string | undefined {
  return /^[A-Za-z]{2}$/.test(text) ? (toRegistryCode(text) ?? text.toUpperCase()) : undefined;
}

/**
 * Reads a number, in any spelling, as the registry of its country is queried for it; without a country, as each registry
 * is: a letter in front is a prefix of one Member State, and a 0 is added for another. Undefined if none could be.
 */
export function readNumbers(
  text: string,
  country: string | undefined,
): readonly VatNumber[] | undefined {
  const countries = country === undefined ? viesCodes : [country];
  const numbers = countries.flatMap((code) => parseVatNumber(code, text) ?? []);
  return numbers.length === 0 ? undefined : numbers;
}
