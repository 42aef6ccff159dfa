import type { SentQuestion } from '../../vat-check/registries/registry.ts';
import type { ReceivedReply } from '../../vat-check/stored/evidence/read-exchange.ts';
import type { Verification } from '../../vat-check/stored/evidence/verify.ts';
import type { Requester } from '../../vat-check/numbers/requester.ts';
import {
  describeAnswer,
  describeTrader,
  type Line,
  printLines,
} from '../checks/described-lines.ts';

/** A verification as one JSON document. */
export function toDocument(verification: Verification) {
  const { faults, evidence, query, reply, program, isKeyPublished, isReformatted } = verification;
  return {
    // Null if nothing is wrong, but the key was not compared with the published ones.
    holds: faults.length > 0 ? false : (isKeyPublished ?? null),
    faults,
    id: evidence?.id ?? null,
    registry: evidence?.registry ?? null,
    endpoint: evidence?.endpoint ?? null,
    requestedAt: evidence?.requestedAt ?? null,
    answeredAt: evidence?.answeredAt ?? null,
    query: query ?? null,
    reply: reply ?? null,
    keyId: evidence?.keyId ?? null,
    isKeyPublished: isKeyPublished ?? null,
    isReformatted: isReformatted ?? null,
    program: program ?? null,
  };
}

/** A verification as lines for a person; the faults are not among them. */
export function describeEvidence(verification: Verification): string {
  const { evidence, query, reply, program, faults } = verification;
  if (evidence === undefined) return 'The file is not the evidence of a check.';
  const { id, registry, endpoint, requestedAt, answeredAt, keyId } = evidence;
  const maker = program === undefined ? '' : `, by ${program.name} ${program.version}`;
  const lines = printLines([
    ['check', id],
    ...(query === undefined ? [] : describeQuery(query, registry)),
    ['sent', `${requestedAt} to ${endpoint}${maker}`],
    ['received', answeredAt ?? 'no complete response'],
    ...(reply === undefined ? [] : describeReply(reply, query?.trader ?? null)),
    ['fingerprint', keyId],
  ]);
  return faults.length > 0 ? lines : `${lines}\n\n${describeResult(verification)}`;
}

function describeResult({ isKeyPublished, isReformatted }: Verification): string {
  const result =
    isKeyPublished === true
      ? 'The evidence holds: digests and signature are right, and the check is what the registry answered. ' +
        'The key is one of the published keys.'
      : 'Digests and signature agree with the key in the file.';
  return isReformatted === true
    ? `${result}\nNote: another program has formatted the file; its values are those that were signed.`
    : result;
}

function describeQuery(
  { operation, vatNumber, requester, trader }: SentQuestion,
  registry: string,
): readonly Line[] {
  return [
    ['query', `${describeNumber(vatNumber)} at ${registry}, ${operation}`],
    ['requester', requester === undefined ? 'none' : describeNumber(requester)],
    ...describeTrader(trader),
  ];
}

function describeReply(
  reply: ReceivedReply,
  trader: SentQuestion['trader'] | null,
): readonly Line[] {
  if (reply.kind === 'unreadable') return [['answer', `none: ${reply.reason}`]];
  if (reply.kind === 'fault') return [['answer', `fault ${JSON.stringify(reply.text)}`]];
  return describeAnswer(reply.answer, trader);
}

function describeNumber({ registryCode, number }: Requester): string {
  return `${registryCode} ${number}`;
}
