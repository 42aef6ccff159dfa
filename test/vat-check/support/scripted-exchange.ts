import { bytesAsAnswer } from '../../../src/platform/upstream/bytes-as-answer.ts';
import type { ExchangeRecorder } from '../../../src/vat-check/registries/exchange-recorder.ts';
import type { RegistryOutcome } from '../../../src/vat-check/registries/outcome.ts';
import {
  printCheckVat,
  printCheckVatApprox,
} from '../../../src/vat-check/registries/vies/request.ts';
import type { Question } from '../../../src/vat-check/registries/registry.ts';
import { answerText, approxText, faultText } from './vies-texts.ts';

/** Gives the recorder the bytes that a query with this outcome exchanges with the registry. */
export async function recordExchange(
  recorder: ExchangeRecorder | undefined,
  query: Question,
  outcome: RegistryOutcome,
): Promise<void> {
  if (recorder === undefined) return;
  recorder.begin('https://vies.example/', printQuery(query));
  const text = printReply(query, outcome);
  if (text === undefined) return;
  const answer = bytesAsAnswer(Buffer.from(text), { upstream: 'vies', operation: 'scripted' });
  for await (const chunk of recorder.keep(answer)) void chunk;
}

/** The operation is that of `RegistryQueries`: `checkVatApprox` with a requester or a trader. */
function isApprox({ requester, trader }: Question): boolean {
  return requester !== undefined || Object.keys(trader).length > 0;
}

function printQuery(query: Question): string {
  return isApprox(query) ? printCheckVatApprox(query) : printCheckVat(query.vatNumber);
}

/** Undefined if the registry sends nothing. */
function printReply(query: Question, outcome: RegistryOutcome): string | undefined {
  if (outcome.kind !== 'answered') {
    const fault = faultOf(outcome);
    return fault === undefined ? undefined : faultText(fault);
  }
  const { answer } = outcome;
  const { registryCode, number } = query.vatNumber;
  const about = { countryCode: registryCode, vatNumber: number, valid: String(answer.valid) };
  const [name, address] = [answer.name ?? '---', answer.address ?? '---'];
  if (!isApprox(query)) return answerText({ ...about, name, address });
  // The element is required; it is empty without a requester.
  const requestIdentifier = answer.consultationNumber ?? '';
  return approxText({ ...about, traderName: name, traderAddress: address, requestIdentifier });
}

function faultOf(outcome: Exclude<RegistryOutcome, { kind: 'answered' }>): string | undefined {
  switch (outcome.kind) {
    case 'rejected':
      return 'INVALID_INPUT';
    case 'requesterRejected':
      return 'INVALID_REQUESTER_INFO';
    case 'memberStateUnavailable':
      return outcome.because === 'down' ? 'MS_UNAVAILABLE' : 'MS_MAX_CONCURRENT_REQ';
    case 'serviceUnavailable':
      return outcome.because === 'down' ? 'SERVICE_UNAVAILABLE' : 'SERVER_BUSY';
    case 'timedOut':
    case 'failed':
      return undefined;
  }
}
