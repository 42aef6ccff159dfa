import { traderFields } from '../../numbers/trader.ts';
import { registryCodes } from '../../numbers/registry-codes.ts';
import { parseRequester, printRequester, type Requester } from '../../numbers/requester.ts';
import { toRegistryCode, withoutSeparators } from '../../numbers/vat-number.ts';
import { refusedTextHint } from '../../numbers/hint.ts';
import { type JsonObject, type JsonValue, printCanonicalJson } from './canonical-json.ts';
import type { Question, Registry } from '../../registries/registry.ts';
import type { ReceivedReply } from './read-exchange.ts';

/** Fields that are null unless the registry has answered (rule K6). */
const answerFields = ['valid', 'name', 'address', 'requestDate', 'consultationNumber'] as const;

/**
 * Compares the check in a manifest with the bytes that were exchanged, and returns a sentence for each difference.
 *
 * The bytes of a check that has expired prove no answer, so only its query is compared.
 */
export function compareCheck(
  check: JsonObject,
  {
    query,
    reply,
    sentTrader = (trader) => trader,
  }: { readonly query: Question; readonly reply: ReceivedReply } & Pick<Registry, 'sentTrader'>,
): readonly string[] {
  return [...compareQuery(check, { query, sentTrader }), ...compareReply(check, reply)];
}

function compareQuery(
  check: JsonObject,
  { query, sentTrader }: { readonly query: Question } & Required<Pick<Registry, 'sentTrader'>>,
): readonly string[] {
  const written = Object.entries(toObject(check['trader'])).filter(([, text]) => text !== null);
  const trader = sentTrader(Object.fromEntries(written));
  return [
    compareNumber('countryCode and vatNumber', check, query.vatNumber),
    // Earlier releases have no such field.
    check['queriedNumber'] === undefined
      ? []
      : compare('queriedNumber', check['queriedNumber'], printRequester(query.vatNumber)),
    compareNumber('requester', check['requester'], query.requester),
    ...traderFields.map((field) =>
      compare(`trader.${field}`, trader[field] ?? null, query.trader[field] ?? null),
    ),
  ].flat();
}

function compareReply(check: JsonObject, reply: ReceivedReply): readonly string[] {
  const { status } = check;
  if (status === 'answered') {
    if (reply.kind !== 'answered') {
      return ['the check is answered, but the received bytes are no answer of the registry'];
    }
    return compareAnswer(check, reply.answer);
  }
  if (status === 'rejected' && check['hint'] === refusedTextHint) {
    // The page of a firewall.
    const page = reply.kind === 'unreadable' ? [] : ['the registry answered, so no firewall did'];
    return [
      ...page,
      ...compare('error', check['error'], 'INVALID_INPUT'),
      ...compareAnswer(check, undefined),
    ];
  }
  const refused = reply.kind === 'fault' ? reply.refused : undefined;
  const expected = { number: 'INVALID_INPUT', requester: 'INVALID_REQUESTER' } as const;
  const error = refused === undefined ? undefined : expected[refused];
  if (status === 'rejected' && error === undefined) {
    return ['the check is rejected, but the received bytes are no refusal of the registry'];
  }
  const faults = status === 'rejected' ? compare('error', check['error'], error ?? null) : [];
  if (status !== 'rejected' && status !== 'expired') return ['the check has not ended'];
  return [...faults, ...compareAnswer(check, undefined)];
}

/** Compares with an answer, or with nothing: every field that says something about the number is then null. */
function compareAnswer(
  check: JsonObject,
  answer: Extract<ReceivedReply, { kind: 'answered' }>['answer'] | undefined,
): readonly string[] {
  const match = toObject(check['traderMatch']);
  // Releases before 0.4 have no such fields.
  const days = (['validFrom', 'validTo'] as const).filter((name) => check[name] !== undefined);
  return [
    ...[...answerFields, ...days].flatMap((field) =>
      compare(field, check[field], answer?.[field] ?? null),
    ),
    ...traderFields.flatMap((field) =>
      compare(`traderMatch.${field}`, match[field] ?? null, answer?.traderMatch?.[field] ?? null),
    ),
  ];
}

/**
 * Compares a number as it was written with the one that was sent. An earlier release removed fewer prefixes and added fewer
 * zeros, so both may also be the same number as this release reads them; it also queried numbers without any digit.
 */
function compareNumber(
  name: string,
  written: JsonValue | undefined,
  sent: Requester | undefined,
): readonly string[] {
  const { countryCode, vatNumber } = toObject(written);
  const read =
    typeof countryCode === 'string' && typeof vatNumber === 'string'
      ? (parseRequester(countryCode, vatNumber, registryCodes) ?? asWritten(countryCode, vatNumber))
      : null;
  const reread =
    sent === undefined ? undefined : parseRequester(sent.registryCode, sent.number, registryCodes);
  const isSame = reread !== undefined && compare(name, read, reread).length === 0;
  return isSame ? [] : compare(name, read, sent ?? null);
}

function asWritten(country: string, vat: string): Requester | null {
  const registryCode = toRegistryCode(country);
  const number = withoutSeparators(vat);
  return registryCode === undefined || number === undefined ? null : { registryCode, number };
}

function compare(
  name: string,
  inManifest: JsonValue | undefined,
  inBytes: JsonValue,
): readonly string[] {
  const [said, exchanged] = [inManifest, inBytes].map((value) =>
    value === undefined ? 'nothing' : printCanonicalJson(value),
  );
  if (said === exchanged) return [];
  return [`${name} of the check is ${said}, but ${exchanged} in the bytes that were exchanged`];
}

function toObject(value: JsonValue | undefined): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}
