import { LRUCache } from 'lru-cache';

import { addDays, type IsoDate } from '../../platform/time/time.ts';
import records from '../data/tedb-records.json' with { type: 'json' };
import type { Answer } from '../transport/answer.ts';
import { soapAnswer } from '../transport/soap-xml.ts';
import { shuffled } from '../data/noise.ts';
import type { Scenario, ScenarioState } from '../scenario/scenario.ts';
import type { TedbFault } from '../scenario/script.ts';
import { parseTedbRequest, type TedbRequest } from './request.ts';
import type { Detail, Situation, TedbRow } from './row.ts';
import { scriptedRegions } from './quirks.ts';
import { makeStateRows } from './rows.ts';
import { ratesInForce } from '../scenario/rates-in-force.ts';
import { answeredCode, situationDates } from './situations.ts';
import { printAnswer, printFault, printRow, printServerFault } from './xml.ts';

/** The real service answers at any path below this one; only the SOAPAction matters. */
export const tedbPath = '/taxation_customs/tedb/ws/';

const soapAction = 'urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates';

/** An answer, with the date and codes of the request as far as they could be read, for the log. */
export interface TedbAnswer {
  readonly answer: Answer;
  readonly requestedDate: IsoDate | undefined;
  readonly codes: readonly string[];
}

/**
 * The SOAP service of the Taxes in Europe Database.
 *
 * It answers with the latest record of each Member State on a date. Records that begin after the
 * sandbox's today are never in an answer: the database has no announced changes.
 */
export class TedbSimulator {
  readonly #scenario: Scenario;
  readonly #detail: Detail;
  // Tests that go through months request only the answers around today again.
  readonly #bodies = new LRUCache<string, Uint8Array>({ max: 8 });

  constructor(scenario: Scenario, detail: Detail) {
    this.#scenario = scenario;
    this.#detail = detail;
  }

  answer(action: string | undefined, body: string, fault: TedbFault): TedbAnswer {
    if (action?.replace(/^"(.*)"$/, '$1') !== soapAction) return unread(bareNotFound);
    if (fault === 'server-fault') return unread(tedbAnswer(500, printServerFault()));

    const request = parseTedbRequest(body);
    // The text of this fault was reported; its code is made up.
    if (request === undefined) {
      return unread(tedbAnswer(500, printFault([['00001', 'The XSD validation failed']])));
    }
    const { codes, until: requestedDate } = request;
    const unknown = codes.filter((code) => answeredCode(code) === undefined);
    if (unknown.length > 0) {
      return {
        answer: tedbAnswer(500, printFault(unknown.map(unknownState))),
        requestedDate,
        codes,
      };
    }
    return { answer: tedbAnswer(200, this.#body(request, fault)), requestedDate, codes };
  }

  #body(request: TedbRequest, fault: TedbFault): Uint8Array {
    const { today, revision, state } = this.#scenario;
    const requested = request.until ?? today;
    // With `current`, every date gets the current record, as the real service was seen to do.
    const latest = requested < today && fault !== 'current' ? requested : today;
    const until = fault === 'old' ? addDays(latest, -365) : latest;
    const codes = [...new Set(request.codes.map((code) => answeredCode(code) ?? code))].filter(
      (code) => !state.tedb.missing.includes(code),
    );

    const key = [codes, request.from, until, fault, revision].join(' ');
    const known = this.#bodies.get(key);
    if (known !== undefined) return known;

    const situations = codes.flatMap((code) => situationsOf(code, request.from, until, state));
    const rows = inAnswerOrder(situations, (situation) => [
      ...makeStateRows(situation, this.#detail),
      ...scriptedRegions(situation, state.tedb.regions),
    ]);
    const made = Buffer.from(printAnswer(spoilRows(rows, fault).map(printRow)));
    this.#bodies.set(key, made);
    return made;
  }
}

/** The record in force; with `from`, the record in force on that day and all later ones. */
function situationsOf(
  state: string,
  from: IsoDate | undefined,
  until: IsoDate,
  { rates }: ScenarioState,
): readonly Situation[] {
  const dates = situationDates(state, until, rates);
  const firstIndex =
    from === undefined ? dates.length - 1 : dates.findLastIndex((date) => date <= from);
  return dates
    .slice(Math.max(0, firstIndex))
    .map((date) => ({ state, date, rates: ratesInForce(state, date, rates) }));
}

const mixedInto: Readonly<Record<string, string>> = records.mixedInto;

/**
 * Rows by Member State, in neither the order of the request nor the alphabet. The rows of some Member
 * States alternate with those of another.
 */
function inAnswerOrder(
  situations: readonly Situation[],
  makeRows: (situation: Situation) => readonly TedbRow[],
): readonly TedbRow[] {
  const states = [...new Set(situations.map(({ state }) => state))];
  const rowsOf = (state: string) =>
    situations.filter((situation) => situation.state === state).flatMap(makeRows);

  return shuffled(states, states.join(' '))
    .filter((state) => !states.includes(mixedInto[state] ?? ''))
    .flatMap((state) => {
      const others = states.filter((other) => mixedInto[other] === state);
      return alternate(rowsOf(state), others.flatMap(rowsOf));
    });
}

function alternate(rows: readonly TedbRow[], others: readonly TedbRow[]): readonly TedbRow[] {
  const rest = others.slice(rows.length);
  return [...rows.flatMap((row, index) => [row, ...others.slice(index, index + 1)]), ...rest];
}

function spoilRows(rows: readonly TedbRow[], fault: TedbFault): readonly TedbRow[] {
  if (fault === 'zeroes') {
    return rows.map((row) => (row.type === 'REDUCED' ? { ...row, value: '0' } : row));
  }
  if (fault === 'canary-standard') {
    return rows.filter(
      ({ memberState, type, value }) =>
        memberState !== 'ES' || type !== 'STANDARD' || value === '7',
    );
  }
  return rows;
}

function unknownState(code: string): readonly [string, string] {
  return ['00002', `The Member State "${code}" does not exist.`];
}

const bareNotFound: Answer = { status: 404, headers: { Server: 'Europa', 'Content-Length': '0' } };

function unread(answer: Answer): TedbAnswer {
  return { answer, requestedDate: undefined, codes: [] };
}

function tedbAnswer(status: number, body: string | Uint8Array): Answer {
  return soapAnswer(status, body, {
    'Content-Security-Policy': "frame-ancestors 'none'",
    Accept: 'text/xml',
    SOAPAction: '""',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Origin': 'http://localhost:4200',
    Server: 'Europa',
  });
}
