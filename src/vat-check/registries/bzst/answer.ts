import type { ExchangeAnswer } from '../../../platform/upstream/exchange.ts';
import { type IsoDate, parseIsoDate } from '../../../platform/time/time.ts';
import type { Trader } from '../../numbers/trader.ts';
import { withoutSeparators } from '../../numbers/vat-number.ts';
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
import { comparedFields, sentTrader } from './compared-fields.ts';

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
const matches: Readonly<Record<string, Match | null>> = {
  A: 'valid',
  B: 'invalid',
  C: null,
  D: 'not processed',
};

/**
 * Reads an answer of the BZSt. Its status decides, not that of HTTP: HTTP 200 may be a false number, 404 a refusal, and 400 a
 * number that is valid (rule M11). A status that is not in the table says nothing.
 */
export async function readBzstAnswer(
  answer: ExchangeAnswer,
  question: Question,
): Promise<RegistryResult> {
  const body = await readJsonAnswer(answer);
  const status = body?.['status'];
  // The office never redirects.
  if (answer.status >= 300 && answer.status < 400) return endedForeign(answer);
  if (body === undefined || typeof status !== 'string' || !/^evatr-[0-9]{4}$/.test(status))
    return endedForeign(answer);
  if (isAboutOther(body, question)) {
    const differences = [{ part: 'number', difference: 'other' }] as const;
    return { ...ended({ kind: 'failed', failure: 'otherNumber' }), differences };
  }
  const valid = Object.hasOwn(verdicts, status) ? verdicts[status] : undefined;
  if (valid === undefined) {
    const known = Object.hasOwn(ends, status) ? ends[status] : undefined;
    return ended(known ?? { kind: 'failed', failure: 'unexpectedAnswer' }, status);
  }
  return readVerdict(body, { status, valid, sent: sentTrader(question.trader) });
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
  return pairs.some(([given, asked]) => {
    const said = given ?? '';
    if (said === '') return false;
    const text =
      typeof said === 'string' ? withoutSeparators(said)?.replace(/^GR/, 'EL') : undefined;
    return text !== `${asked?.registryCode}${asked?.number}`;
  });
}

function readVerdict(
  body: JsonAnswer,
  {
    status,
    valid,
    sent,
  }: { readonly status: string; readonly valid: boolean; readonly sent: Trader },
): RegistryResult {
  const requestDate = requestDateOf(body['anfrageZeitpunkt']);
  if (requestDate === undefined)
    return ended({ kind: 'failed', failure: 'unexpectedAnswer' }, status);
  const unreadable: string[] = [];
  const read = <T>(name: string, reader: (text: string) => T | undefined): T | undefined => {
    const given = body[name] ?? '';
    if (given === '') return undefined;
    const value = typeof given === 'string' ? reader(given) : undefined;
    if (value === undefined) unreadable.push(name);
    return value;
  };
  const hasDays = status === 'evatr-2002' || status === 'evatr-2006';
  const validFrom = hasDays ? read('gueltigAb', readDate) : undefined;
  const validTo = hasDays ? read('gueltigBis', readDate) : undefined;
  const compared = comparedFields.filter(({ field }) => sent[field] !== undefined);
  const found = (status === 'evatr-0000' ? compared : []).map(
    ({ field, answered }) => [field, read(answered, readMatch) ?? undefined] as const,
  );
  const answer: RegistryAnswer = {
    valid,
    requestDate,
    name: null,
    address: null,
    consultationNumber: read('id', (text) => textIn(text) ?? undefined),
    traderMatch: Object.fromEntries(found.filter(([, match]) => match !== undefined)),
    ...(validFrom && { validFrom }),
    ...(validTo && { validTo }),
  };
  const result = ended({ kind: 'answered', answer, maxAgeSeconds: undefined });
  return unreadable.length === 0 ? result : { ...result, unreadable };
}

function readMatch(letter: string): Match | null | undefined {
  return Object.hasOwn(matches, letter) ? matches[letter] : undefined;
}

/** Reads `31.12.2024`; undefined for another text. */
function readDate(text: string): IsoDate | undefined {
  const [, day, month, year] = /^([0-9]{2})\.([0-9]{2})\.([0-9]{4})$/.exec(text) ?? [];
  return parseIsoDate(`${year}-${month}-${day}`);
}
