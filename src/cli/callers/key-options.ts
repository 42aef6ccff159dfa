import { type Form, refuse, textForm } from '../../platform/fields/field.ts';
import { parseOwnLimit } from '../../access/limits/key-limits.ts';
import { requestLimitMax } from '../../platform/http/request-cost.ts';
import { parseScopes, type Scope, scopes } from '../../platform/http/scope.ts';
import { overlapHoursDefault, overlapHoursMax } from '../../platform/encryption/secret-overlap.ts';
import { printRequester, readRequesterText } from '../../vat-check/numbers/requester.ts';
import {
  addDays,
  type Clock,
  formatInstant,
  midnightOf,
  parseIsoDate,
  systemClock,
} from '../../platform/time/time.ts';
import { option, repeated, required, withDefault } from '../command/command.ts';
import { UsageError } from '../command/report.ts';

const limits = 'N, none, or default for the limit in the settings';
const limit = textForm(
  `a whole number from 1 to ${requestLimitMax}, none or default`,
  parseOwnLimit,
);
const nameOfCaller = [
  '<name>',
  'name of the caller',
  textForm('the name of the caller', parseName),
] as const;

/** Each text may have several scopes, separated by commas. */
const scopesForm: Form<readonly Scope[]> = {
  expected: `${scopes.join(', ')}, or several`,
  read: (given, at) => {
    const names = (given as readonly string[]).flatMap((text) => text.split(','));
    return parseScopes(names) ?? refuse(at, scopesForm.expected, names.join(',') || 'empty');
  },
};

/** The requesters of a key, separated by commas as `KeyRecord` has them; null for none. */
const requesterForm: Form<string | null> = {
  expected: 'a VAT number with its country such as NL854265259B01, or none',
  read: (given, at) => {
    const texts = (given as readonly string[]).flatMap((text) => text.split(','));
    if (texts.length === 1 && texts[0] === 'none') return null;
    const read = texts.map((text) => readRequesterText(text));
    const malformed = texts.find((_, place) => read[place] === undefined);
    if (malformed !== undefined) return refuse(at, requesterForm.expected, malformed);
    const requesters = read.filter((one) => one !== undefined);
    const countries = new Set(requesters.map(({ registryCode }) => registryCode));
    if (countries.size < requesters.length) {
      return refuse(at, 'at most one VAT number of each country', texts.join(','));
    }
    return requesters.map(printRequester).join(',');
  },
};

/** The options that a new key and a key that exists have; what some of them say differs. */
function keyOptions(says: Record<'scope' | 'requester' | 'expires', string>) {
  return {
    name: option(...nameOfCaller),
    rateLimit: option('<limit>', `requests in a window of 60 seconds: ${limits}`, limit),
    quota: option('<limit>', `requests in a calendar month (UTC): ${limits}`, limit),
    callsPerDay: option(
      '<limit>',
      'calls to VIES in a UTC day that its callers wait for: N, none, or default for a quarter of VIES_CALLS_PER_DAY',
      limit,
    ),
    scope: repeated(
      '<scope>',
      `scope of the key: read, checks or webhooks; several with commas, or repeat the option${says.scope}`,
      scopesForm,
    ),
    requester: repeated(
      '<number>',
      `VAT number on whose behalf its stored checks are made, such as NL854265259B01; one for each country, repeat the option${says.requester}`,
      requesterForm,
    ),
    expires: option(
      '<date>',
      `last day on which the key works, UTC${says.expires}`,
      expiryForm(systemClock),
    ),
  };
}

export const newKeyOptions = {
  ...keyOptions({ scope: ' (all if left out)', requester: '', expires: '' }),
  name: required(...nameOfCaller),
};

export const changeOptions = keyOptions({
  scope: '; replaces the present scopes',
  requester: '; none for no requester',
  expires: ', or never',
});

export const overlapHours = withDefault(
  '<hours>',
  `how long the old secret still works, 0 to ${overlapHoursMax}`,
  {
    byDefault: String(overlapHoursDefault),
    form: textForm(`whole hours from 0 to ${overlapHoursMax}`, (text) =>
      /^[0-9]{1,3}$/.test(text) && Number(text) <= overlapHoursMax ? Number(text) : undefined,
    ),
  },
);

function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200) {
    throw new UsageError(
      '--name is empty or longer than 200 characters, expected the name of the caller',
    );
  }
  if (/\p{Cc}/u.test(name)) {
    throw new UsageError(
      '--name has a line break or another control character, expected plain text',
    );
  }
  return name;
}

/** A key works through the end of its last day, UTC (contract C25). Null is never. */
export function expiryForm(clock: Pick<Clock, 'now'>): Form<string | null> {
  const expected = 'YYYY-MM-DD before the year 9999, or never';
  return {
    expected,
    read: (given, at) => {
      if (given === 'never') return null;
      const date = parseIsoDate(String(given));
      // Instants are compared as text, which needs years of four digits.
      if (date === undefined || date >= '9999') return refuse(at, expected, given);
      const expiresAt = formatInstant(midnightOf(addDays(date, 1)));
      if (expiresAt > formatInstant(clock.now())) return expiresAt;
      return refuse(at, 'today or a later day', given);
    },
  };
}
