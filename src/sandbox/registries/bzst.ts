import { randomBytes } from 'node:crypto';
import type { Trader } from '../data/traders.ts';
import type { RegistriesState } from '../scenario/registry-script.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { type Answer, parseJson } from '../transport/answer.ts';
import { findTrader } from '../vies/registry.ts';

/** The pair of numbers with which the office tests. */
const testPair = { asking: 'DE123456789', asked: 'ATU12345678' };

/** The HTTP status of each status that is no 400. */
const httpOf: Readonly<Record<string, number>> = {
  '0000': 200,
  '2002': 200,
  '2006': 200,
  '2008': 200,
  '2001': 404,
  '2005': 404,
  '0006': 403,
  '0007': 403,
  '0008': 403,
  '0011': 503,
  '0013': 503,
  '1001': 503,
  ...Object.fromEntries('1002 1003 1004 2004 2007 2011 3011'.split(' ').map((code) => [code, 500])),
};

/** The days that an answer has beside its verdict. */
const days: Readonly<Record<string, object>> = {
  '2002': { gueltigAb: '01.01.2030' },
  '2006': { gueltigAb: '01.01.2024', gueltigBis: '31.12.2024' },
};

type Sent = Readonly<Record<string, string | undefined>>;

/** Answers a question to the Bundeszentralamt in its wire form. */
export function answerBzst(scenario: Scenario, body: string): Answer {
  const { bzst } = scenario.state.registries;
  const sent = parseJson(body);
  if (bzst.api === 'down') return print(scenario, '1001');
  if (typeof sent !== 'object' || sent === null) return print(scenario, '0002');
  const fields = sent as Sent;
  const status = statusOf(scenario, fields);
  const isQualified = fields['firmenname'] !== undefined && fields['ort'] !== undefined;
  const matches = status === '0000' && isQualified ? compare(scenario, fields, bzst) : {};
  return print(scenario, status, { ...days[status], ...matches });
}

function statusOf({ state }: Scenario, sent: Sent): string {
  const { anfragendeUstid: asking = '', angefragteUstid: asked = '' } = sent;
  const scripted = state.registries.bzst.statuses.find(({ number }) => number === asked);
  if (scripted !== undefined) return scripted.status;
  if (asking === '' || asked === '') return '0002';
  if (!/^DE[0-9]{9}$/.test(asking)) return '0004';
  if (asked.startsWith('DE')) return '0006';
  if (!/^[A-Z]{2}[0-9A-Z+*]{2,12}$/.test(asked)) return '0005';
  const isPartial = (sent['firmenname'] === undefined) !== (sent['ort'] === undefined);
  if (asking === testPair.asking && asked === testPair.asked) return isPartial ? '0003' : '0000';
  if (traderOf(state.vies, asked) === undefined) return '2001';
  return isPartial ? '0003' : '0000';
}

function traderOf(vies: Scenario['state']['vies'], number: string): Trader | undefined {
  return findTrader(vies, { country: number.slice(0, 2), number: number.slice(2) });
}

/** Compares letters and digits: A matches, B does not, C was not asked, D is not given by the Member State. */
function compare(
  { state }: Scenario,
  sent: Sent,
  { letter }: RegistriesState['bzst'],
): Readonly<Record<string, string>> {
  const trader = traderOf(state.vies, sent['angefragteUstid'] ?? '');
  const held = trader?.held ?? trader;
  const of = (text: string | undefined, own: string | undefined): string => {
    if (text === undefined) return 'C';
    // The test number has no data: everything matches.
    if (held === undefined) return letter ?? 'A';
    if (own === undefined || own === '---') return 'D';
    return plain(own).includes(plain(text)) ? (letter ?? 'A') : 'B';
  };
  return {
    ergFirmenname: of(sent['firmenname'], held?.name),
    ergStrasse: of(sent['strasse'], held?.address),
    ergPlz: of(sent['plz'], held?.address),
    ergOrt: of(sent['ort'], held?.address),
  };
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function print(scenario: Scenario, status: string, more: object = {}): Answer {
  const { withId } = scenario.state.registries.bzst;
  const at = Temporal.Instant.fromEpochMilliseconds(scenario.clock.now());
  const zoned = at.toZonedDateTimeISO('Europe/Berlin');
  const body = {
    ...(withId && { id: randomBytes(8).toString('hex') }),
    anfrageZeitpunkt: zoned.toString({ fractionalSecondDigits: 9, timeZoneName: 'never' }),
    status: `evatr-${status}`,
    ...more,
  };
  const headers = { 'Content-Type': 'application/json' };
  return { status: httpOf[status] ?? 400, headers, body: JSON.stringify(body) };
}
