import { checkHead } from '../../../platform/upstream/check-answer.ts';
import type { ExchangeAnswer } from '../../../platform/upstream/exchange.ts';
import { readEnvelope } from '../../../platform/upstream/soap.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { childText, type XmlNode } from '../../../platform/upstream/xml-shape.ts';
import { viesCodes } from '../../numbers/vat-number-formats.ts';
import { readApproxFault, readFault, type RegistryAnswer } from '../outcome.ts';
import type { Question, Registry, RegistryResult } from '../registry.ts';
import { readAnswer } from './answer.ts';
import { readApproxAnswer } from './approx-answer.ts';
import { answerShape, approxAnswerShape, readAnswerDocument } from './document.ts';
import { compareEcho } from './echo.ts';
import { readSent } from './sent.ts';
import { printCheckVat, printCheckVatApprox, soapAction } from './request.ts';

const post = {
  method: 'POST',
  path: '',
  // Without the content type VIES answers 500.
  headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: soapAction },
} as const;

/** VIES: SOAP 1.1, `checkVatApprox` if there is a requester or data of the trader, otherwise `checkVat`. */
export const vies: Registry = {
  name: 'vies',
  countries: viesCodes,
  requesters: [...viesCodes, 'EU'],
  group: ({ registryCode }) => registryCode,
  ask: (question) =>
    isApprox(question)
      ? { ...post, operation: 'checkVatApprox', body: printCheckVatApprox(question) }
      : { ...post, operation: 'checkVat', body: printCheckVat(question.vatNumber) },
  answer: readResult,
  readSent: async ({ request }) => readSent(request),
};

function isApprox({ operation, requester, trader }: Question): boolean {
  if (operation !== undefined) return operation === 'checkVatApprox';
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
    const { text: fault } = content;
    return { outcome, fault, isOwnForm: true, mayRetry: false, differences: [] };
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
    return { outcome, isOwnForm: true, mayRetry: false, differences };
  }
  const outcome = {
    kind: 'answered',
    answer: readMessage(message, question),
    maxAgeSeconds: readMaxAge(answer.header('cache-control')),
  } as const;
  const unreadable = [...remarks.unreadableElements];
  const result = { outcome, isOwnForm: true, mayRetry: false, differences };
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
