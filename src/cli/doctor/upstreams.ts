import { fileShape } from '../../fx/ecb-document.ts';
import { messageNamespace, typesNamespace, answerShape } from '../../rates/tedb-document.ts';
import type { Config } from '../../platform/config/options.ts';
import { dateIn } from '../../platform/time.ts';
import { checkHead } from '../../platform/upstream/check-answer.ts';
import { exchange, type ExchangeAnswer } from '../../platform/upstream/exchange.ts';
import { readEnvelope, soapNamespace } from '../../platform/upstream/soap.ts';
import { readXml } from '../../platform/upstream/strict-xml.ts';
import { createUpstreamAgent } from '../../platform/upstream/upstream-agent.ts';
import { userAgentOf } from '../../platform/upstream/user-agent.ts';
import { readFault } from '../../vat-check/outcome.ts';
import {
  answerShape as viesShape,
  typesNamespace as viesNamespace,
} from '../../vat-check/vies-document.ts';
import { type ClockReading, type Finding } from './finding.ts';
import { sentenceOf } from '../report.ts';

/** Enough for answers of this size. */
const limits = { deadlineMs: 10_000, bodyBytesMax: 1_000_000 } as const;
/** The Date header has whole seconds, and a cache may have stored it. */
const clockToleranceMs = 60_000;

/** A small request to an upstream, and the parser of its answer. */
type Probe = {
  readonly name: string;
  readonly variable: 'TEDB_URL' | 'ECB_URL' | 'VIES_URL';
  readonly url: string;
  readonly soap?: { readonly action: string; readonly body: string };
  readonly read: (answer: ExchangeAnswer) => Promise<Omit<Finding, 'check'>>;
};

export type UpstreamCheck = { readonly finding: Finding; readonly clock?: ClockReading };

/** Sends each upstream one small request, none about a person or a real VAT number. */
export function checkUpstreams(config: Config): readonly Promise<UpstreamCheck>[] {
  return [
    {
      name: 'tedb',
      variable: 'TEDB_URL',
      url: config.tedbUrl,
      soap: {
        action: 'urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates',
        body: printTedbRequest(),
      },
      read: readTedb,
    } as const,
    {
      name: 'ecb',
      variable: 'ECB_URL',
      url: `${config.ecbUrl}/eurofxref-daily.xml`,
      read: readEcb,
    } as const,
    {
      name: 'vies',
      variable: 'VIES_URL',
      url: config.viesUrl,
      soap: { action: '""', body: viesRequest },
      read: readVies,
    } as const,
  ].map(async (probe) => send(probe, userAgentOf(config.contact)));
}

async function send(probe: Probe, userAgent: string): Promise<UpstreamCheck> {
  const { name: upstream, variable, url, soap, read } = probe;
  const agent = createUpstreamAgent({ connections: 1 });
  const startedMs = performance.now();
  let clock: ClockReading | undefined;
  try {
    const result = await exchange(
      agent,
      {
        upstream,
        operation: 'doctor',
        url,
        userAgent,
        method: soap === undefined ? 'GET' : 'POST',
        headers:
          soap === undefined
            ? { accept: 'text/xml' }
            : { 'content-type': 'text/xml; charset=utf-8', soapaction: soap.action },
        ...(soap === undefined ? undefined : { body: soap.body }),
        ...limits,
        signal: new AbortController().signal,
      },
      async (answer) => {
        clock = readDate(upstream, answer);
        return read(answer);
      },
    );
    const ms = Math.round(performance.now() - startedMs);
    return withClock({ check: upstream, ...result, found: `${result.found} in ${ms} ms` }, clock);
  } catch (error) {
    const [found] = sentenceOf(error).split(`${upstream}: doctor: `).slice(-1);
    const advice = `look at ${variable}, and at DNS, proxies and firewalls between here and there`;
    return withClock({ check: upstream, state: 'wrong', found: found ?? '', advice }, clock);
  } finally {
    await agent.destroy();
  }
}

function withClock(finding: Finding, clock: ClockReading | undefined): UpstreamCheck {
  return clock === undefined ? { finding } : { finding, clock };
}

function readDate(of: string, answer: ExchangeAnswer): ClockReading | undefined {
  const atMs = Date.parse(answer.header('date') ?? '');
  if (Number.isNaN(atMs)) return undefined;
  const age = Number(answer.header('age') ?? 0) || 0;
  // The header cuts the fraction of a second: half a second on average.
  const aheadMs = atMs + 500 + age * 1_000 - Date.now();
  return { of, aheadMs, toleranceMs: clockToleranceMs };
}

/** Requests only the rates of Malta, because those of all Member States are 1.6 MB. */
function printTedbRequest(): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    `<soap:Envelope xmlns:soap="${soapNamespace}" xmlns:m="${messageNamespace}" ` +
    `xmlns:t="${typesNamespace}"><soap:Body><m:retrieveVatRatesReqMsg>` +
    '<t:memberStates><t:isoCode>MT</t:isoCode></t:memberStates>' +
    `<t:situationOn>${dateIn('Europe/Brussels', Date.now())}</t:situationOn>` +
    '</m:retrieveVatRatesReqMsg></soap:Body></soap:Envelope>'
  );
}

async function readTedb(answer: ExchangeAnswer): Promise<Omit<Finding, 'check'>> {
  checkHead(answer, { statuses: [200, 500], variable: 'TEDB_URL' });
  let rows = 0;
  const { document } = await readXml(answer, answerShape, () => {
    rows += 1;
  });
  const content = readEnvelope(document);
  if (content.kind === 'fault') throw new Error(`a SOAP fault: ${content.text}`);
  if (rows === 0) throw new Error('an answer without a rate, for Malta today');
  return { state: 'ok', found: `${rows} rates of Malta` };
}

async function readEcb(answer: ExchangeAnswer): Promise<Omit<Finding, 'check'>> {
  checkHead(answer, { statuses: [200], variable: 'ECB_URL' });
  let newest = '';
  await readXml(answer, fileShape, (node) => {
    newest = node.attributes['time'] ?? '';
  });
  return { state: 'ok', found: `exchange rates of ${newest}` };
}

/**
 * Requests a country code that does not exist. VIES refuses it without a request to a Member State, and no check of
 * a real number is recorded.
 */
const viesRequest =
  `<soap:Envelope xmlns:soap="${soapNamespace}" xmlns:v="${viesNamespace}"><soap:Body>` +
  '<v:checkVat><v:countryCode>ZZ</v:countryCode><v:vatNumber>100</v:vatNumber></v:checkVat>' +
  '</soap:Body></soap:Envelope>';

async function readVies(answer: ExchangeAnswer): Promise<Omit<Finding, 'check'>> {
  checkHead(answer, { statuses: [200, 500], variable: 'VIES_URL' });
  const { document } = await readXml(answer, viesShape);
  const content = readEnvelope(document);
  if (content.kind === 'message') throw new Error('an answer about a country that is none');
  const outcome = readFault(content.text);
  if (outcome.kind === 'rejected') return { state: 'ok', found: 'answered as expected' };
  if (outcome.kind === 'failed') {
    const advice = 'VIES blocks addresses that send too many requests: write to the VIES team';
    return outcome.failure === 'blocked'
      ? { state: 'wrong', found: 'this address is blocked, answered', advice }
      : {
          state: 'wrong',
          found: `an unknown fault ${JSON.stringify(content.text)}`,
          advice: 'look at VIES_URL',
        };
  }
  const advice = 'wait until VIES is available again; checks answer 503 meanwhile';
  return { state: 'warning', found: `unavailable (${content.text}), answered`, advice };
}
