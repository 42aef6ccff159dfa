import type { Requester } from '../../numbers/requester.ts';
import type { Trader } from '../../numbers/trader.ts';
import { viesCodes } from '../../numbers/vat-number-formats.ts';
import type { RegistryCode, VatNumber } from '../../numbers/vat-number.ts';
import { objectIn } from '../json-answer.ts';
import type {
  KeptExchange,
  Question,
  Registry,
  RegistryRequest,
  SentQuestion,
} from '../registry.ts';
import { readBzstAnswer } from './answer.ts';
import { comparedFields, sentTrader } from './compared-fields.ts';
import { retryAt } from './schedule.ts';

/** Its only question. */
const operation = 'abfrage';
const path = '/abfrage';

/**
 * The confirmation of foreign VAT numbers by the Bundeszentralamt für Steuern (§ 18e UStG, rule M11): JSON, asked for a German
 * number alone. A question is qualified if it has a name and a city.
 */
export const bzst: Registry = {
  name: 'bzst',
  countries: viesCodes.filter((code) => code !== 'DE'),
  requesters: ['DE'],
  group: () => 'bzst',
  callsPerSecond: 1,
  retryAt,
  sentTrader,
  ask,
  answer: readBzstAnswer,
  readSent: async (sent) => readSent(sent),
};

function ask({ vatNumber, requester, trader }: Question): RegistryRequest {
  if (requester?.registryCode !== 'DE') throw new Error('bzst is asked for a German number only');
  const body = {
    anfragendeUstid: toText(requester),
    angefragteUstid: toText(vatNumber),
    ...toQualified(trader),
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return { operation, method: 'POST', path, headers, body: JSON.stringify(body) };
}

function toText({ registryCode, number }: Requester): string {
  return `${registryCode}${number}`;
}

function toQualified(trader: Trader): Readonly<Record<string, string | undefined>> {
  const sent = sentTrader(trader);
  return Object.fromEntries(comparedFields.map(({ field, asked }) => [asked, sent[field]]));
}

function readSent({ url, request }: Pick<KeptExchange, 'url' | 'request'>): SentQuestion {
  const sent = objectIn(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request)));
  const { anfragendeUstid, angefragteUstid, ...qualified } = sent;
  const trader = sentTrader(
    Object.fromEntries(
      comparedFields.map(({ field, asked }) => [field, readText(qualified[asked])]),
    ),
  );
  // A part of a qualified question, and a field that is none of its own, are no question of this registry.
  const isWhole = Object.keys(trader).length === Object.keys(qualified).length;
  if (!isWhole || !url.endsWith(path)) throw new Error('bzst: request: no question to the BZSt');
  return {
    operation,
    vatNumber: readNumber(angefragteUstid, bzst.countries),
    requester: readNumber(anfragendeUstid, ['DE']),
    trader,
  };
}

/** A text as it was sent, with the blanks at its ends. */
function readText(given: unknown): string | undefined {
  return typeof given === 'string' && given !== '' ? given : undefined;
}

/** Reads a number by its letters alone: a later release may read its rest in another way. */
function readNumber(given: unknown, known: readonly RegistryCode[]): VatNumber {
  const text = readText(given) ?? '';
  const registryCode = known.find((code) => text.startsWith(code));
  if (registryCode === undefined || !/^[A-Z]{2}[0-9A-Z+*]{2,12}$/.test(text)) {
    throw new Error('bzst: request: no VAT number');
  }
  return { registryCode, number: text.slice(2) };
}
