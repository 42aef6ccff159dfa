import type { Answer } from '../transport/answer.ts';
import { makePage } from '../transport/error-pages.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { TransportFault } from '../transport/faults.ts';
import { viesStates } from '../data/traders.ts';
import { findTrader, invalidAnswer } from './registry.ts';
import type { ViesBehaviour } from '../scenario/vies-state.ts';
import type { CheckVat } from './xml.ts';
import { printCheckVatResponse, printViesFault, readCheckVat } from './xml.ts';

export const viesPath = '/taxation_customs/vies/services/checkVatService';

export interface ViesRequest {
  readonly contentType: string | undefined;
  readonly action: string | undefined;
  readonly body: string;
}

export interface ViesAnswer {
  readonly answer: Answer;
  /** What was asked; null when the request was refused before that. */
  readonly check: CheckVat | null;
  /** The Member State that was asked; null when VIES answers without asking one. */
  readonly memberState: string | null;
  readonly fault: TransportFault;
  readonly latencyMs: number;
}

/**
 * The SOAP service of the VAT Information Exchange System, checkVat only.
 *
 * Counts the call in the scenario. A refused request is answered as it would be on any day, whatever
 * is scripted for the Member States.
 */
export function answerVies(scenario: Scenario, request: ViesRequest): ViesAnswer {
  const read = readRequest(request);
  const check = read.kind === 'check' ? read.check : null;
  const memberState = check !== null && isAcceptable(check) ? check.countryCode : null;
  const behaviour = scenario.takeViesCall(memberState);

  return {
    answer: read.kind === 'check' ? answerCheck(scenario, read.check, behaviour) : read.answer,
    check,
    memberState,
    fault: faultOf(behaviour),
    latencyMs: behaviour.latencyMs,
  };
}

type ReadRequest =
  | { readonly kind: 'check'; readonly check: CheckVat }
  | { readonly kind: 'refused'; readonly answer: Answer };

function readRequest({ contentType, action, body }: ViesRequest): ReadRequest {
  // What was reported is a page of the server in front, without a word about the reason.
  if (!/^text\/xml\b/i.test(contentType ?? '')) {
    return { kind: 'refused', answer: makePage(500, '500', 'Internal Server Error') };
  }
  const given = action?.replace(/^"(.*)"$/, '$1') ?? '';
  if (given !== '') {
    return refuse('Server', `The given SOAPAction ${given} does not match an operation.`);
  }
  const read = readCheckVat(body);
  switch (read.kind) {
    case 'check':
      return read;
    case 'unknown':
      return refuse('Client', `Message part ${read.name} was not recognized.`);
    case 'unreadable':
      return refuse('Client', 'Error reading XMLStreamReader.');
  }
}

/** These were seen from the SOAP layer in the older prefixes only. */
function refuse(code: 'Server' | 'Client', text: string): ReadRequest {
  return { kind: 'refused', answer: soapAnswer(500, printViesFault(code, text, 'soap')) };
}

function isAcceptable({ countryCode, vatNumber }: CheckVat): boolean {
  return viesStates.includes(countryCode) && /^[0-9A-Za-z+*.]{2,12}$/.test(vatNumber);
}

/** The official test numbers, for every Member State; 100 and 200 have answers of their own. */
const faultsByNumber: Readonly<Record<string, string>> = {
  '201': 'INVALID_INPUT',
  '202': 'INVALID_REQUESTER_INFO',
  '300': 'SERVICE_UNAVAILABLE',
  '301': 'MS_UNAVAILABLE',
  '302': 'TIMEOUT',
  '400': 'VAT_BLOCKED',
  '401': 'IP_BLOCKED',
  '500': 'GLOBAL_MAX_CONCURRENT_REQ',
  '501': 'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  '600': 'MS_MAX_CONCURRENT_REQ',
  '601': 'MS_MAX_CONCURRENT_REQ_TIME',
};

function answerCheck(scenario: Scenario, check: CheckVat, behaviour: ViesBehaviour): Answer {
  const { vies } = scenario.state;
  const headers = vies.maxAge === null ? {} : { 'Cache-Control': `max-age=${vies.maxAge}` };
  const faultText = faultTextOf(check, behaviour);
  if (faultText !== null) {
    const long = `${faultText}: Your Request for VAT validation has not been processed (simulated).`;
    const body = printViesFault('Server', vies.longFaults ? long : faultText, vies.prefixes);
    return soapAnswer(vies.faultStatus, body, headers);
  }

  const trader = findTrader(vies, { country: check.countryCode, number: check.vatNumber });
  const response = {
    ...check,
    at: scenario.clock.now(),
    valid: trader !== undefined,
    ...(trader === undefined
      ? invalidAnswer(check)
      : { name: trader.name, address: trader.address }),
  };
  return soapAnswer(200, printCheckVatResponse(response, vies.prefixes), headers);
}

function faultTextOf(check: CheckVat, { fault, memberState }: ViesBehaviour): string | null {
  if (fault === 'server-fault') return 'SERVICE_UNAVAILABLE';
  if (!isAcceptable(check)) return 'INVALID_INPUT';
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
      return faultsByNumber[check.vatNumber] ?? null;
  }
}

/** What happens on the way: VIES's own fault before that of the Member State. */
function faultOf({ fault, memberState }: ViesBehaviour): TransportFault {
  if (fault !== 'none') return fault;
  const { state } = memberState;
  return state === 'hang' || state === 'drip' || state === 'html' ? state : 'none';
}

function soapAnswer(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: {
      'Content-Type': 'text/xml; charset=UTF-8',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body,
  };
}
