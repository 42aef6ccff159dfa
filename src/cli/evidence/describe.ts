import type { ReceivedReply, SentQuery } from '../../vat-check/stored/evidence/read-exchange.ts';
import type { Verification } from '../../vat-check/stored/evidence/verify.ts';
import { traderFields } from '../../vat-check/trader.ts';
import type { VatNumber } from '../../vat-check/vat-number.ts';

/** A verification as one JSON document. */
export function toDocument(verification: Verification, isKeyPublished: boolean) {
  const { faults, evidence, query, reply, program } = verification;
  return {
    holds: faults.length === 0,
    faults,
    id: evidence?.id ?? null,
    registry: evidence?.registry ?? null,
    endpoint: evidence?.endpoint ?? null,
    requestedAt: evidence?.requestedAt ?? null,
    answeredAt: evidence?.answeredAt ?? null,
    query: query ?? null,
    reply: reply ?? null,
    keyId: evidence?.keyId ?? null,
    isKeyPublished,
    program: program ?? null,
  };
}

/** A verification as lines for a person; the faults are not among them. */
export function describeEvidence(verification: Verification, isKeyPublished: boolean): string {
  const { evidence, query, reply, program, faults } = verification;
  if (evidence === undefined) return 'The file is not the evidence of a check.';
  const { id, registry, endpoint, requestedAt, answeredAt, keyId } = evidence;
  const maker = program === undefined ? '' : `, by ${program.name} ${program.version}`;
  const lines = [
    ['check', escapeControls(id)],
    ...(query === undefined ? [] : describeQuery(query, registry)),
    ['sent', `${requestedAt} to ${escapeControls(`${endpoint}${maker}`)}`],
    ['received', answeredAt ?? 'no complete response'],
    ...(reply === undefined ? [] : describeReply(reply)),
    ['fingerprint', escapeControls(keyId)],
  ];
  const end = faults.length > 0 ? [] : ['', describeResult(isKeyPublished)];
  return [...lines.map(([name = '', text]) => `${name.padEnd(13)}${text}`), ...end].join('\n');
}

function describeResult(isKeyPublished: boolean): string {
  const holds =
    'The evidence holds: digests and signature are right, and the check is what the registry answered.';
  return isKeyPublished
    ? `${holds} The key is one of the published keys.`
    : `${holds}\nThe key comes from the file itself. Compare the fingerprint with the published one (GET /evidence/keys), ` +
        'or call this command with --keys.';
}

function describeQuery({ operation, vatNumber, requester, trader }: SentQuery, registry: string) {
  const sent = traderFields.filter((field) => trader[field] !== undefined);
  return [
    ['query', `${describeNumber(vatNumber)} at ${registry}, ${operation}`],
    ['requester', requester === undefined ? 'none' : describeNumber(requester)],
    ...sent.map((field) => [`- ${field}`, `${quote(trader[field] ?? '')}, as sent`]),
  ];
}

function describeReply(reply: ReceivedReply): readonly (readonly string[])[] {
  if (reply.kind === 'unreadable') return [['answer', `none: ${escapeControls(reply.reason)}`]];
  if (reply.kind === 'fault') return [['answer', `fault ${quote(reply.text)}`]];
  const { valid, name, address, requestDate, consultationNumber, traderMatch = {} } = reply.answer;
  const show = (text: string | null) => (text === null ? 'not disclosed' : quote(text));
  const matches = traderFields.filter((field) => traderMatch[field] !== undefined);
  return [
    ['answer', `valid: ${valid}, on ${requestDate}`],
    ['- name', show(name)],
    ['- address', show(address)],
    ['- number', `consultation number ${escapeControls(consultationNumber ?? 'not issued')}`],
    ...matches.map((field) => ['- match', `${field}: ${traderMatch[field]}`]),
  ];
}

function describeNumber({ registryCode, number }: VatNumber): string {
  return escapeControls(`${registryCode} ${number}`);
}

function quote(text: string): string {
  return escapeControls(JSON.stringify(text));
}

/** Escapes characters of a file that could control the terminal or change the direction of a line. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
