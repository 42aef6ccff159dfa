import type { Requester } from '../../numbers/requester.ts';
import type { Trader } from '../../numbers/trader.ts';
import { viesCodes } from '../../numbers/vat-number-formats.ts';
import { parseVatNumber, type VatNumber } from '../../numbers/vat-number.ts';
import { objectIn, textIn } from '../json-answer.ts';
import type { Question, Registry, RegistryRequest, SentQuestion } from '../registry.ts';
import { readBzstAnswer } from './answer.ts';
import { retryAt } from './schedule.ts';

/** The operation of its only question. */
const operation = 'abfrage';

/** The fields of a qualified question, with those of a trader. */
const fieldOf = { name: 'firmenname', city: 'ort', street: 'strasse', postcode: 'plz' } as const;

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
  ask,
  answer: readBzstAnswer,
  readSent: async ({ request }) => readSent(request),
};

function ask({ vatNumber, requester, trader }: Question): RegistryRequest {
  if (requester === undefined) throw new Error('bzst is asked for a German number only');
  const body = {
    anfragendeUstid: toText(requester),
    angefragteUstid: toText(vatNumber),
    ...toQualified(trader),
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return { operation, method: 'POST', path: '/abfrage', headers, body: JSON.stringify(body) };
}

function toText({ registryCode, number }: Requester): string {
  return `${registryCode}${number}`;
}

/** The company type is none of its fields, and a name without a city none of its questions. */
function toQualified(trader: Trader): Readonly<Record<string, string>> {
  if (trader.name === undefined || trader.city === undefined) return {};
  const fields = Object.entries(fieldOf) as [keyof typeof fieldOf, string][];
  return Object.fromEntries(
    fields.flatMap(([field, name]) => {
      const text = trader[field];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function readSent(bytes: Uint8Array): SentQuestion {
  const sent = objectIn(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  const { anfragendeUstid, angefragteUstid, ...qualified } = sent;
  const known: readonly string[] = Object.values(fieldOf);
  const foreign = Object.keys(qualified).find((name) => !known.includes(name));
  if (foreign !== undefined) throw new Error(`bzst: request: a field ${foreign}`);
  const trader = Object.fromEntries(
    Object.entries(fieldOf).flatMap(([field, name]) => {
      const text = textIn(qualified[name]);
      return text === null ? [] : [[field, text]];
    }),
  );
  return {
    operation,
    vatNumber: readNumber(angefragteUstid),
    requester: readNumber(anfragendeUstid),
    trader,
  };
}

function readNumber(given: unknown): VatNumber {
  const text = textIn(given) ?? '';
  const read = parseVatNumber(text.slice(0, 2), text.slice(2));
  if (read === undefined) throw new Error('bzst: request: no VAT number');
  // As it was sent: a later release may read the text in another way.
  return { ...read, number: text.slice(2) };
}
