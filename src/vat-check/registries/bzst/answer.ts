import type { ExchangeAnswer } from '../../../platform/upstream/exchange.ts';
import { type IsoDate, parseIsoDate } from '../../../platform/time/time.ts';
import type { TraderField } from '../../numbers/trader.ts';
import {
  ended,
  endedForeign,
  type JsonAnswer,
  readJsonAnswer,
  requestDateOf,
  textIn,
} from '../json-answer.ts';
import type { Match, RegistryAnswer, RegistryOutcome, Unanswered } from '../outcome.ts';
import type { Question, RegistryResult } from '../registry.ts';

/** The statuses that are a verdict. The others of the table of rule M11 are refusals, failures, or say nothing. */
const verdicts: Readonly<Record<string, boolean>> = {
  'evatr-0000': true,
  'evatr-2008': true,
  'evatr-2001': false,
  'evatr-2002': false,
  'evatr-2006': false,
};

const down: Unanswered = { kind: 'serviceUnavailable', because: 'down' };
const refused = { kind: 'requesterRejected' } as const;
const rejected: Unanswered = { kind: 'rejected' };

const ends: Readonly<Record<string, RegistryOutcome>> = {
  'evatr-2005': refused,
  'evatr-0004': refused,
  'evatr-0005': rejected,
  'evatr-0012': rejected,
  'evatr-2003': rejected,
  'evatr-0008': { kind: 'serviceUnavailable', because: 'throttled' },
  ...Object.fromEntries(
    '0011 0013 1001 1002 1003 1004 2004 2007 2011 3011'
      .split(' ')
      .map((code) => [`evatr-${code}`, down]),
  ),
};

/** The matches by the letters of the answer; C is a field that was not asked. */
const matches: Readonly<Record<string, Match | undefined>> = {
  A: 'valid',
  B: 'invalid',
  C: undefined,
  D: 'not processed',
};

const fields: readonly (readonly [TraderField, string])[] = [
  ['name', 'ergFirmenname'],
  ['street', 'ergStrasse'],
  ['postcode', 'ergPlz'],
  ['city', 'ergOrt'],
];

/**
 * Reads an answer of the BZSt. Its status decides, not that of HTTP: HTTP 200 may be a false number, 404 a refusal, and 400 a
 * number that is valid (rule M11). A status that is not in the table says nothing.
 */
export async function readBzstAnswer(
  answer: ExchangeAnswer,
  question: Question,
): Promise<RegistryResult> {
  const body = await readJsonAnswer(answer);
  const status = textIn(body?.['status']) ?? '';
  if (body === undefined || !/^evatr-[0-9]{4}$/.test(status)) return endedForeign(answer);
  const valid = Object.hasOwn(verdicts, status) ? verdicts[status] : undefined;
  if (valid === undefined) {
    const known = Object.hasOwn(ends, status) ? ends[status] : undefined;
    return ended(known ?? { kind: 'failed', failure: 'unexpectedAnswer' }, status);
  }
  if (isAboutOther(body, question))
    return ended({ kind: 'failed', failure: 'otherNumber' }, status);
  return readVerdict(body, { status, valid });
}

/** Whether an answer names another number than was asked, or another one that asks; most answers name neither. */
function isAboutOther(
  { angefragteUstid, anfragendeUstid }: JsonAnswer,
  { vatNumber, requester }: Question,
): boolean {
  const pairs = [
    [angefragteUstid, vatNumber],
    [anfragendeUstid, requester],
  ] as const;
  return pairs.some(([said, asked]) => {
    const text = textIn(said);
    return text !== null && text !== `${asked?.registryCode}${asked?.number}`;
  });
}

function readVerdict(
  body: JsonAnswer,
  { status, valid }: { readonly status: string; readonly valid: boolean },
): RegistryResult {
  const requestDate = requestDateOf(body['anfrageZeitpunkt']);
  if (requestDate === undefined)
    return ended({ kind: 'failed', failure: 'unexpectedAnswer' }, status);
  const unreadable: string[] = [];
  const dateIn = (name: string): IsoDate | undefined => {
    const text = textIn(body[name]);
    const date = text === null ? undefined : readDate(text);
    if (text !== null && date === undefined) unreadable.push(name);
    return date;
  };
  const [validFrom, validTo] = [dateIn('gueltigAb'), dateIn('gueltigBis')];
  const answer: RegistryAnswer = {
    valid,
    requestDate,
    name: null,
    address: null,
    consultationNumber: textIn(body['id']) ?? undefined,
    traderMatch: status === 'evatr-0000' ? readMatches(body, unreadable) : {},
    ...(validFrom && { validFrom }),
    ...(validTo && { validTo }),
  };
  const result = ended({ kind: 'answered', answer, maxAgeSeconds: undefined });
  return unreadable.length === 0 ? result : { ...result, unreadable };
}

function readMatches(body: JsonAnswer, unreadable: string[]): RegistryAnswer['traderMatch'] {
  const found: { [F in TraderField]?: Match } = {};
  for (const [field, name] of fields) {
    const letter = textIn(body[name]);
    if (letter === null) continue;
    if (!Object.hasOwn(matches, letter)) unreadable.push(name);
    const match = Object.hasOwn(matches, letter) ? matches[letter] : undefined;
    if (match !== undefined) found[field] = match;
  }
  return found;
}

/** Reads `31.12.2024`; undefined for another text. */
function readDate(text: string): IsoDate | undefined {
  const [, day, month, year] = /^([0-9]{2})\.([0-9]{2})\.([0-9]{4})$/.exec(text) ?? [];
  return parseIsoDate(`${year}-${month}-${day}`);
}
