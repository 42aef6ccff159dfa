import type { ReceivedReply, SentQuery } from '../../vat-check/stored/evidence/read-exchange.ts';
import type { Verification } from '../../vat-check/stored/evidence/verify.ts';
import type { VatNumber } from '../../vat-check/vat-number.ts';
import { describeAnswer, describeTrader, type Line, printLines } from '../described-lines.ts';

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
  const lines = printLines([
    ['check', id],
    ...(query === undefined ? [] : describeQuery(query, registry)),
    ['sent', `${requestedAt} to ${endpoint}${maker}`],
    ['received', answeredAt ?? 'no complete response'],
    ...(reply === undefined ? [] : describeReply(reply)),
    ['fingerprint', keyId],
  ]);
  return faults.length > 0 ? lines : `${lines}\n\n${describeResult(isKeyPublished)}`;
}

function describeResult(isKeyPublished: boolean): string {
  const holds =
    'The evidence holds: digests and signature are right, and the check is what the registry answered.';
  return isKeyPublished
    ? `${holds} The key is one of the published keys.`
    : `${holds}\nThe key comes from the file itself. Compare the fingerprint with the published one (GET /evidence/keys), ` +
        'or call this command with --keys.';
}

function describeQuery(
  { operation, vatNumber, requester, trader }: SentQuery,
  registry: string,
): readonly Line[] {
  return [
    ['query', `${describeNumber(vatNumber)} at ${registry}, ${operation}`],
    ['requester', requester === undefined ? 'none' : describeNumber(requester)],
    ...describeTrader(trader),
  ];
}

function describeReply(reply: ReceivedReply): readonly Line[] {
  if (reply.kind === 'unreadable') return [['answer', `none: ${reply.reason}`]];
  if (reply.kind === 'fault') return [['answer', `fault ${JSON.stringify(reply.text)}`]];
  return describeAnswer(reply.answer);
}

function describeNumber({ registryCode, number }: VatNumber): string {
  return `${registryCode} ${number}`;
}
