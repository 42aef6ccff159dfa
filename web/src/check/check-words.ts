import { nameAndAddress } from '../../../src/vat-check/registries/absent-words.ts';
import { countryName } from '../countries.ts';
import type { NoticeKind } from '../parts/notice-kind.ts';
import type { CountryAndVatNumber, Match, StoredCheck } from '../wire.ts';
import { dateInWords, listInWords, momentInWords, weekdayOf } from '../words.ts';

/** A check in words. */
export type Verdict = {
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
};

const noAnswer = 'This says nothing about the number: it may be valid or not.';

/** Explains a stored check. Only an answer of the registry is shown as one (rule K6). */
export function explainCheck(check: StoredCheck): Verdict {
  const registry = registryOf(check);
  switch (check.status) {
    case 'pending':
      return { kind: 'hint', title: 'Pending', text: `${explainPending(check)}. ${noAnswer}` };
    case 'answered':
      return check.valid
        ? explainValid(check)
        : {
            kind: 'bad',
            title: 'Not registered',
            text: 'The registry looked the number up, and it is not registered for trade between Member States. The number may be mistyped, too new, or no longer in use.',
          };
    case 'rejected':
      if (isBritish(check)) {
        return {
          kind: 'problem',
          title: 'Not in VIES',
          text: 'Great Britain is not in VIES since 2021. Numbers of Northern Ireland are: their country is XI.',
        };
      }
      return check.error === 'INVALID_REQUESTER'
        ? {
            kind: 'problem',
            title: 'The requester is refused',
            text: `The registry refuses the number of the requester, so it did not look the other number up. ${noAnswer} Check the requester, and check the number again.`,
          }
        : {
            kind: 'problem',
            title: 'Not a possible VAT number',
            text: `${registry} could not be queried for this number. Check for a missing or extra character, or ask your customer to correct the number.`,
          };
    case 'expired':
      return {
        kind: 'problem',
        title: 'No answer in time',
        text: `${registry} ${
          isUnconfirmed(check)
            ? 'answered “not registered” a short time after a failure of its own, and did not confirm it'
            : 'gave no answer'
        } before the check expired. ${noAnswer} Check the number again.`,
      };
  }
}

/**
 * Whether the newest answer about an open number is “not registered”, a short time after a failure of the registry: it does not
 * count until the registry confirms it (rule K9).
 */
export function isUnconfirmed({ status, error, attempts }: StoredCheck): boolean {
  return (status === 'pending' || status === 'expired') && error === null && attempts > 0;
}

/** The fields of a customer, as they are named in a sentence. */
export const traderFields = [
  ['name', 'name'],
  ['street', 'street'],
  ['postcode', 'postcode'],
  ['city', 'city'],
  ['companyType', 'company type'],
] as const;

/** The names of the fields that differ from those of the registry. */
export function differingFields({ traderMatch }: StoredCheck): readonly string[] {
  return traderFields.flatMap(([field, name]) => (traderMatch?.[field] === 'invalid' ? name : []));
}

/** A registered number is one thing, and the data of the customer is another: the law asks for both. */
function explainValid(check: StoredCheck): Verdict {
  const fields = differingFields(check);
  if (fields.length === 0) {
    return {
      kind: 'good',
      title: 'Valid',
      text: 'The number was registered at the time of this check. A registration can end at any time: keep the proof below.',
    };
  }
  const verb = fields.length === 1 ? 'does' : 'do';
  return {
    kind: 'problem',
    title: `Valid, but the ${listInWords(fields)} ${verb} not match`,
    text: 'The number was registered at the time of this check, with other data than you sent. Clarify that with your customer before you invoice.',
  };
}

/** Whether a number is one of Great Britain, which has no registry in VIES. */
function isBritish({ countryCode, queriedNumber }: StoredCheck): boolean {
  return /^(?:GB|UK)$/i.test(countryCode.trim()) && queriedNumber === null;
}

/** Why a check is pending, and until when: “Germany’s registry is unavailable; retrying until Friday, 14:00 UTC”. */
export function explainPending(check: StoredCheck): string {
  const { error, createdAt, expiresAt } = check;
  const registry = registryOf(check);
  const until = expiresAt === null ? '' : ` until ${endInWords(expiresAt, createdAt)}`;
  if (isUnconfirmed(check)) {
    return `${registry} failed a short time ago, so the number is asked a second time in a minute`;
  }
  // While a registry is known to be down, it is not queried for each check.
  if (error === null) return `Waiting for ${registry}; trying${until}`;
  const reasons: Readonly<Record<string, string>> = {
    MS_UNAVAILABLE: `${registry} is unavailable`,
    SERVICE_UNAVAILABLE: 'VIES, through which all registries are queried, is unavailable',
    TIMEOUT: `${registry} did not answer in time`,
  };
  return `${reasons[error] ?? `${registry} could not be queried (${error})`}; retrying${until}`;
}

/** “Germany’s registry”. */
function registryOf({ countryCode, queriedNumber }: StoredCheck): string {
  const name = countryName(queriedNumber?.slice(0, 2) ?? countryCode.toUpperCase());
  return `${name}’${name.endsWith('s') ? '' : 's'} registry`;
}

/** “Friday, 14:00 UTC”, if the day of the week is clear between both moments; else “20 Nov, 14:00 UTC”. */
function endInWords(moment: string, from: string): string {
  const words = momentInWords(moment);
  const isWithinWeek = Date.parse(moment) - Date.parse(from) < 6 * 86_400_000;
  return isWithinWeek ? `${weekdayOf(moment)}, ${words.replace(/^.*, /, '')}` : words;
}

const hintsInWords: Readonly<Record<string, string>> = {
  'number of the small-enterprise scheme (EX): not in VIES':
    'It is a number of the scheme for small enterprises (EX). VIES does not have these numbers.',
  'check digit does not match': 'The check digit does not match the rest of the number.',
  "requester's own number": 'It is the number of the requester itself.',
  'requester check digit does not match':
    'The check digit of the requester does not match the rest of its number.',
  'requester and customer are of the same Member State':
    'Requester and customer are of the same Member State.',
  'no consultation number: the registry may not have accepted the requester':
    'The registry issued no consultation number. It may not have accepted the requester.',
  "the registry's firewall refuses the trader's text":
    'A firewall before VIES refused the name or address of the customer, so the number was not judged.',
  'W-IdNr read as VAT number': 'It was read as a W-IdNr: its first nine digits were queried.',
  'leading 0 added': 'The number was queried with a 0 in front.',
  'prefix removed':
    'The letters of the country in front are not a part of the number, and were left out.',
};

/**
 * The remark of the service about the number of a check (rule K3) in words; undefined if there is none. A remark that the
 * number seems wrong is none for a registered number: the registry decides.
 */
export function hintInWords({
  hint,
  valid,
  countryCode,
}: Pick<StoredCheck, 'hint' | 'valid' | 'countryCode'>): string | undefined {
  if (hint === null || (valid === true && /^(?:form|check digit)\b/.test(hint))) return undefined;
  const [, about, expected = ''] =
    /^(form|check digit|requester form|requester check digit): expected (.+)$/.exec(hint) ?? [];
  switch (about) {
    case 'form':
      return `It cannot be a number of ${countryName(countryCode.toUpperCase())}: expected ${expected}.`;
    case 'check digit':
      return `The check digit seems wrong: ${expected} is expected.`;
    case 'requester form':
      return `The requester cannot be a number of its country: expected ${expected}.`;
    case 'requester check digit':
      return `The check digit of the requester seems wrong: ${expected} is expected.`;
    case undefined:
    default:
      return hintsInWords[hint] ?? hint;
  }
}

/** The number with its country in front, as it stands on an invoice: `DE 811115368`. */
export function numberInWords({ countryCode, vatNumber }: CountryAndVatNumber): string {
  return `${countryCode} ${vatNumber}`;
}

/** The registry's comparison of a field that was sent with its own data; null if the answer has none that can be read. */
export function matchInWords(match: Match | null): string {
  if (match === null) return 'the comparison cannot be read';
  return { valid: 'matches', invalid: 'does not match', 'not processed': 'not compared' }[match];
}

/**
 * Says that the registry compared neither name nor address of a registered customer with its own data; undefined if it
 * compared something of them, or if it may have. Without that a check confirms the number alone.
 */
export function explainUncompared({ valid, trader, traderMatch }: StoredCheck): string | undefined {
  const sent = nameAndAddress.filter((field) => (trader?.[field] ?? null) !== null);
  const isUncompared = sent.every((field) => traderMatch?.[field] === 'not processed');
  if (valid !== true || !isUncompared) return undefined;
  return sent.length === 0
    ? 'not compared, because no name or address of the customer was sent'
    : 'not compared: the registry compared nothing of the name and address that were sent';
}

/**
 * The registry's date of a check: `2026-11-22+01:00` as “22 November 2026 (time zone UTC+1)”. A text of another form
 * stays as it is, because it is evidence.
 */
export function requestDateInWords(requestDate: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:\d{2})$/.exec(requestDate);
  const [, date = '', zone = ''] = match ?? [];
  if (Number.isNaN(Date.parse(date))) return requestDate;
  const offset = zone === 'Z' ? '' : zone.replace(':00', '').replace(/^([+-])0/, '$1');
  return `${dateInWords(date)} (time zone UTC${offset === '+0' || offset === '-0' ? '' : offset})`;
}
