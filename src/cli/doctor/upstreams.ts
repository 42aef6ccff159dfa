import { fileShape } from '../../fx/ecb/document.ts';
import * as tedb from '../../rates/tedb-client.ts';
import { answerShape as tedbShape } from '../../rates/tedb-document.ts';
import type { Config } from '../../platform/config/options.ts';
import { connectDatabase } from '../../platform/database/database.ts';
import { dateIn, formatInstant, systemClock } from '../../platform/time/time.ts';
import { checkHead } from '../../platform/upstream/check-answer.ts';
import type { ExchangeAnswer } from '../../platform/upstream/exchange.ts';
import { readEnvelope } from '../../platform/upstream/soap.ts';
import { readXml } from '../../platform/upstream/strict-xml.ts';
import { chooseProxy } from '../../platform/upstream/proxy.ts';
import { userAgentOf } from '../../platform/upstream/upstream-agent.ts';
import { quote } from '../../platform/values/quote.ts';
import { vatfx } from '../../platform/vatfx.ts';
import type { Block } from '../../vat-check/calls/block-breaker.ts';
import { addCalls } from '../../vat-check/stored/attempts/call-budget.ts';
import { operatorId } from '../../vat-check/stored/owner.ts';
import { readBlock } from '../../vat-check/calls/block-sharing.ts';
import { readFault } from '../../vat-check/registries/outcome.ts';
import { doctorsQuestion } from '../../vat-check/calls/own-question.ts';
import * as vies from '../../vat-check/registries/vies/request.ts';
import { answerShape as viesShape } from '../../vat-check/registries/vies/document.ts';
import { probeBanks } from './banks.ts';
import { type Finding, type FindingWithClock, ok, warning, wrong } from './finding.ts';
import { type Probe, sendProbe } from './probe.ts';

/** The block by VIES that servers obey now; undefined if there is none, or the database does not say. */
export async function findBlock(config: Config): Promise<Block | undefined> {
  await using db = connectDatabase(config.databaseUrl.reveal());
  const block = await readBlock(db).catch(() => undefined);
  return block !== undefined && block.untilMs > systemClock.now() ? block : undefined;
}

/** Counts the question of `doctor` to VIES as one of the operator's; without effect if the database cannot be written. */
export async function countQuestion(config: Config): Promise<void> {
  await using db = connectDatabase(config.databaseUrl.reveal());
  const call = { day: dateIn('UTC', systemClock.now()), keyId: operatorId, calls: 1 };
  await db
    .transaction()
    .execute(async (tx) => addCalls(tx, call))
    .catch(() => undefined);
}

/** What to do if VIES blocks this service. */
const blockAdvice = `VIES blocks addresses that send too many requests: find the caller that does, set CONTACT, lower VIES_CALLS_PER_DAY, and write to the VIES team; "${vatfx('checks unblock')}" ends the block earlier, if its cause is removed`;

/**
 * Sends each upstream one small request, none about a person or a real VAT number. VIES gets none while it blocks this
 * service.
 */
export function checkUpstreams(
  config: Config,
  block: Block | undefined,
): readonly Promise<FindingWithClock>[] {
  const nowMs = systemClock.now();
  const today = dateIn('Europe/Brussels', nowMs);
  const probes: readonly Probe[] = [
    {
      upstream: 'tedb',
      variable: 'TEDB_URL',
      // Only the rates of Malta, because those of all Member States are 1.6 MB.
      request: soapRequest(
        config.tedbUrl,
        tedb.soapAction,
        tedb.printRequest(today, [{ registryCode: 'MT' }]),
      ),
      read: readTedb,
    },
    {
      upstream: 'ecb',
      variable: 'ECB_URL',
      request: {
        url: `${config.ecbUrl}/eurofxref-daily.xml`,
        method: 'GET',
        headers: { accept: 'text/xml' },
      },
      read: readEcb,
    },
    {
      upstream: 'vies',
      variable: 'VIES_URL',
      request: soapRequest(config.viesUrl, vies.soapAction, vies.printCheckVat(doctorsQuestion)),
      read: readVies,
    },
    ...probeBanks(config, nowMs),
  ];
  return probes.map(async (probe) =>
    probe.upstream === 'vies' && block !== undefined
      ? { finding: describeBlock(block) }
      : sendProbe(probe, {
          userAgent: userAgentOf(config.contact),
          proxy: chooseProxy(probe.request.url, config),
        }),
  );
}

function describeBlock({ reason, untilMs }: Block): Finding {
  const until = formatInstant(untilMs);
  return wrong('vies', `blocks this service until ${until} (${reason}): not asked`, blockAdvice);
}

function soapRequest(url: string, soapaction: string, body: string): Probe['request'] {
  const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction };
  return { url, method: 'POST', headers, body };
}

async function readTedb(answer: ExchangeAnswer): Promise<Finding> {
  checkHead(answer, { statuses: [200, 500], variable: 'TEDB_URL' });
  let rows = 0;
  const { document } = await readXml(answer, tedbShape, () => {
    rows += 1;
  });
  const content = readEnvelope(document);
  if (content.kind === 'fault') throw new Error(`a SOAP fault: ${quote(content.text)}`);
  if (rows === 0) throw new Error('an answer without a rate of Malta for today');
  return ok('tedb', `${rows} rates of Malta`);
}

async function readEcb(answer: ExchangeAnswer): Promise<Finding> {
  checkHead(answer, { statuses: [200], variable: 'ECB_URL' });
  let newest = '';
  await readXml(answer, fileShape, (node) => {
    newest = node.attributes['time'] ?? '';
  });
  return ok('ecb', `exchange rates of ${newest}`);
}

async function readVies(answer: ExchangeAnswer): Promise<Finding> {
  checkHead(answer, { statuses: [200, 500], variable: 'VIES_URL' });
  const { document } = await readXml(answer, viesShape);
  const content = readEnvelope(document);
  if (content.kind === 'message')
    throw new Error('an answer about the country code ZZ, which does not exist');
  const outcome = readFault(content.text);
  if (outcome.kind === 'rejected') return ok('vies', 'answered as expected');
  if (outcome.kind !== 'failed') {
    const advice = 'wait until VIES is available again; checks answer 503 meanwhile';
    return warning('vies', `unavailable (${quote(content.text)}), answered`, advice);
  }
  if (outcome.failure === 'blocked') {
    return wrong('vies', 'this address is blocked, answered', blockAdvice);
  }
  return wrong('vies', `an unknown fault "${quote(content.text)}"`, 'check VIES_URL');
}
