import type { VatNumber } from '../../numbers/vat-number.ts';
import { readKeptGet } from '../json-answer.ts';
import type { KeptExchange, Question, Registry, SentQuestion } from '../registry.ts';
import { readHmrcAnswer } from './answer.ts';

/** The only version since 2025-02-17; without this header HMRC answers that the address does not exist. */
const accept = 'application/vnd.hmrc.2.0+json';
const path = '/organisations/vat/check-vat-number/lookup';
const digits = '([0-9]{9}|[0-9]{12})';
const question = new RegExp(`${path}/${digits}(?:/${digits})?$`);
const operations = { alone: 'lookup', withRequester: 'verifiedLookup' } as const;

/**
 * HMRC's "Check a UK VAT number", version 2.0 (rules M8 to M10): a GET with a token of the operator's application. With a
 * requester it issues a consultation number. Numbers are asked without `GB`.
 */
export const hmrc: Registry = {
  name: 'hmrc',
  countries: ['GB'],
  requesters: ['GB'],
  group: () => 'hmrc',
  // Of one application.
  callsPerSecond: 3,
  // HMRC compares nothing.
  sentTrader: () => ({}),
  ask: ({ vatNumber, requester }) => ({
    operation: requester === undefined ? operations.alone : operations.withRequester,
    method: 'GET',
    path: [path, vatNumber.number, ...(requester === undefined ? [] : [requester.number])].join(
      '/',
    ),
    headers: { accept },
  }),
  answer: readHmrcAnswer,
  readSent: async (exchange) => readSent(exchange),
};

function readSent({ url, request }: Pick<KeptExchange, 'url' | 'request'>): SentQuestion {
  const { target, accept: accepted } = readKeptGet(request);
  if (accepted !== accept) throw new Error('hmrc: request: another version of the API');
  const { pathname, search } = new URL(url);
  if (pathname + search !== target) {
    throw new Error('hmrc: request: another address than the endpoint');
  }
  const [, number, requester] = question.exec(target) ?? [];
  if (number === undefined) throw new Error('hmrc: request: no question about a VAT number');
  const sent: Question = {
    vatNumber: british(number),
    requester: requester === undefined ? undefined : british(requester),
    trader: {},
  };
  const { alone, withRequester } = operations;
  return { ...sent, operation: requester === undefined ? alone : withRequester };
}

function british(number: string): VatNumber {
  return { registryCode: 'GB', number };
}
