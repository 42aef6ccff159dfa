import type { Answer } from '../transport/answer.ts';
import { makePage } from '../transport/error-pages.ts';
import { soapAnswer } from '../transport/soap-xml.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { TransportFault } from '../transport/faults.ts';
import testNumbers from '../data/test-numbers.json' with { type: 'json' };
import { viesStates } from '../data/traders.ts';
import { answerApprox, refusesRequester } from './approx.ts';
import { findTrader, invalidAnswer } from './registry.ts';
import type { ViesBehaviour, ViesState } from '../scenario/vies-state.ts';
import {
  type CheckedNumber,
  printDay,
  printViesFault,
  printViesResponse,
  readCheck,
  type ResponseTexts,
  type ViesCheck,
} from './xml.ts';

export const viesPath = '/taxation_customs/vies/services/checkVatService';

export interface ViesRequest {
  readonly contentType: string | undefined;
  readonly action: string | undefined;
  readonly body: string;
}

export interface ViesAnswer {
  readonly answer: Answer;
  /** The check in the request; undefined if the request was refused before it was read. */
  readonly check: ViesCheck | undefined;
  /** The Member State that VIES queries; undefined if VIES answers without a query. */
  readonly memberState: string | undefined;
  readonly fault: TransportFault;
  readonly latencyMs: number;
}

/**
 * The operations checkVat and checkVatApprox of the VAT Information Exchange System.
 *
 * Counts the call in the scenario. The answer to a refused request does not depend on the scripts of the
 * Member States.
 */
export function answerVies(scenario: Scenario, request: ViesRequest): ViesAnswer {
  const read = readRequest(request);
  const check = read.kind === 'check' ? read.check : undefined;
  const isQueried = check !== undefined && refusalOf(check, scenario.state.vies) === undefined;
  const memberState = isQueried ? check.countryCode : undefined;
  const behaviour = scenario.takeViesCall(memberState);

  return {
    answer: read.kind === 'check' ? answerCheck(scenario, read.check, behaviour) : read.answer,
    check,
    memberState,
    fault: firewallOf(check, scenario.state.vies) ?? faultOf(behaviour),
    latencyMs: behaviour.latencyMs,
  };
}

type ReadRequest =
  | { readonly kind: 'check'; readonly check: ViesCheck }
  | { readonly kind: 'refused'; readonly answer: Answer };

function readRequest({ contentType, action, body }: ViesRequest): ReadRequest {
  // A proxy of the real service was reported to answer with an error page, without a reason.
  if (!/^text\/xml\b/i.test(contentType ?? '')) {
    return { kind: 'refused', answer: makePage(500, '500', 'Internal Server Error') };
  }
  const given = action?.replace(/^"(.*)"$/, '$1') ?? '';
  if (given !== '') {
    return refuse('Server', `The given SOAPAction ${given} does not match an operation.`);
  }
  const read = readCheck(body);
  switch (read.kind) {
    case 'check':
      return read;
    case 'unknown':
      return refuse('Client', `Message part ${read.name} was not recognized.`);
    case 'unreadable':
      return refuse('Client', 'Error reading XMLStreamReader.');
  }
}

/** A fault of the SOAP layer; real ones were seen with the older prefixes only. */
function refuse(code: 'Server' | 'Client', text: string): ReadRequest {
  return { kind: 'refused', answer: soapAnswer(500, printViesFault(code, text, 'soap')) };
}

/** The fault of a request that VIES refuses before it queries the Member State. */
function refusalOf(check: ViesCheck, vies: ViesState): string | undefined {
  if (!isAcceptable(check)) return 'INVALID_INPUT';
  if (check.operation === 'checkVat') return undefined;
  const isRefused = refusesRequester(vies, check, isAcceptable(check.requester));
  return isRefused ? 'INVALID_REQUESTER_INFO' : undefined;
}

function isAcceptable({ countryCode, vatNumber }: CheckedNumber): boolean {
  return viesStates.includes(countryCode) && /^[0-9A-Za-z+*.]{2,12}$/.test(vatNumber);
}

/** The official test numbers for faults, the same in every Member State. */
const faultsByNumber: Readonly<Record<string, string>> = testNumbers;

function answerCheck(scenario: Scenario, check: ViesCheck, behaviour: ViesBehaviour): Answer {
  const { vies } = scenario.state;
  const headers = vies.maxAge === null ? {} : { 'Cache-Control': `max-age=${vies.maxAge}` };
  const faultText = faultTextOf(check, vies, behaviour);
  if (faultText !== undefined) {
    const long = `${faultText}: Your Request for VAT validation has not been processed (simulated).`;
    const body = printViesFault('Server', vies.longFaults ? long : faultText, vies.prefixes);
    return soapAnswer(vies.faultStatus, body, headers);
  }
  const at = scenario.clock.now();
  const texts =
    check.operation === 'checkVat'
      ? answerCheckVat(vies, check, at)
      : answerApprox(vies, check, at);
  return soapAnswer(200, printViesResponse(check.operation, texts, vies.prefixes), headers);
}

function answerCheckVat(vies: ViesState, check: CheckedNumber, at: number): ResponseTexts {
  const trader = findTrader(vies, { country: check.countryCode, number: check.vatNumber });
  const { countryCode, vatNumber, name, address } =
    trader === undefined ? invalidAnswer(check) : { ...check, ...trader };
  const valid = String(trader !== undefined);
  return { countryCode, vatNumber, requestDate: printDay(at), valid, name, address };
}

function faultTextOf(
  check: ViesCheck,
  vies: ViesState,
  { fault, memberState }: ViesBehaviour,
): string | undefined {
  if (fault === 'server-fault') return 'SERVICE_UNAVAILABLE';
  const refusal = refusalOf(check, vies);
  if (refusal !== undefined) return refusal;
  switch (memberState.state) {
    case 'down':
      return 'MS_UNAVAILABLE';
    case 'throttled':
      return 'MS_MAX_CONCURRENT_REQ';
    case 'code':
      return memberState.code;
    case 'up':
    case 'hang':
    case 'drip':
    case 'html':
      return faultsByNumber[check.vatNumber];
  }
}

/** The answer of the firewall to a text that it refuses; undefined if it lets the request pass. */
function firewallOf(check: ViesCheck | undefined, vies: ViesState): TransportFault | undefined {
  if (vies.firewall === null || check?.operation !== 'checkVatApprox') return undefined;
  const { text, answer = 'forbidden-403' } = vies.firewall;
  return Object.values(check.trader).some((sent) => sent.includes(text)) ? answer : undefined;
}

/** The fault of the transport: that of VIES, else that of the Member State. */
function faultOf({ fault, memberState }: ViesBehaviour): TransportFault {
  if (fault !== 'none') return fault;
  const { state } = memberState;
  return state === 'hang' || state === 'drip' || state === 'html' ? state : 'none';
}
