import { checkHead } from '../../../platform/upstream/check-answer.ts';
import type { ExchangeAnswer } from '../../../platform/upstream/exchange.ts';
import { readEnvelope } from '../../../platform/upstream/soap.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { childText, type XmlNode } from '../../../platform/upstream/xml-shape.ts';
import { readApproxFault, readFault, type RegistryAnswer } from '../outcome.ts';
import type { Question, Registry, RegistryResult } from '../registry.ts';
import { readAnswer } from './answer.ts';
import { readApproxAnswer } from './approx-answer.ts';
import { answerShape, approxAnswerShape, readAnswerDocument } from './document.ts';
import { compareEcho } from './echo.ts';
import { printCheckVat, printCheckVatApprox, soapAction } from './request.ts';

// Without the content type VIES answers 500.
const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction: soapAction };

/** VIES: SOAP 1.1, `checkVatApprox` if there is a requester or data of the trader, otherwise `checkVat`. */
export const vies: Registry = {
  name: 'vies',
  ask: (question) =>
    isApprox(question)
      ? { operation: 'checkVatApprox', headers, body: printCheckVatApprox(question) }
      : { operation: 'checkVat', headers, body: printCheckVat(question.vatNumber) },
  answer: readResult,
};

function isApprox({ requester, trader }: Question): boolean {
  return requester !== undefined || Object.keys(trader).length > 0;
}

/** Reads an answer; the body decides, because faults come with HTTP 200 and with 500. */
async function readResult(answer: ExchangeAnswer, question: Question): Promise<RegistryResult> {
  checkHead(answer, { statuses: [200, 500], variable: 'VIES_URL' });
  const shape = isApprox(question) ? approxAnswerShape : answerShape;
  const { document, remarks } = await readAnswerDocument(answer, shape);
  const content = readEnvelope(document);
  if (content.kind === 'fault') {
    const outcome = isApprox(question) ? readApproxFault(content.text) : readFault(content.text);
    return { outcome, isSoap: true, mayRetry: false, differences: [] };
  }

  const { message } = content;
  if (answer.status !== 200)
    throw new UpstreamError('status', answer.at, 'HTTP 500 with an answer');
  const differences = compareEcho(question.vatNumber, {
    countryCode: childText(message, 'countryCode'),
    vatNumber: childText(message, 'vatNumber'),
  });
  if (differences.some(({ difference }) => difference === 'other')) {
    const outcome = { kind: 'failed', failure: 'otherNumber' } as const;
    return { outcome, isSoap: true, mayRetry: false, differences };
  }
  const outcome = {
    kind: 'answered',
    answer: readMessage(message, question),
    maxAgeSeconds: readMaxAge(answer.header('cache-control')),
  } as const;
  const unreadable = [...remarks.unreadableElements];
  const result = { outcome, isSoap: true, mayRetry: false, differences };
  return unreadable.length === 0 ? result : { ...result, unreadable };
}

/** An answer of `checkVat` has neither a consultation number nor matches. */
function readMessage(message: XmlNode, question: Question): RegistryAnswer {
  return isApprox(question)
    ? readApproxAnswer(message, question.trader)
    : { ...readAnswer(message), consultationNumber: undefined, traderMatch: {} };
}

function readMaxAge(header: string | undefined): number | undefined {
  const digits = /(?:^|[\s,])max-age="?([0-9]{1,9})/i.exec(header ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
