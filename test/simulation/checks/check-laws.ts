import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../src/platform/database/database.ts';
import { findCheck } from '../../../src/vat-check/stored/check-store.ts';
import type { CheckEvidence } from '../../../src/vat-check/stored/evidence/check-evidence.ts';
import { printEvidence } from '../../../src/vat-check/stored/evidence/evidence.ts';
import { verifyEvidence } from '../../../src/vat-check/stored/evidence/verify.ts';
import { printCheck } from '../../../src/vat-check/stored/print-check.ts';
import type { StoredCheck } from '../../../src/vat-check/stored/stored-check.ts';
import type { RegistryOutcome } from '../../../src/vat-check/registries/outcome.ts';
import type { CheckLife, Made } from './check-life.ts';
import { keys } from './wanted-checks.ts';

const minuteMs = 60_000;

/** The things that a check and the query behind its answer have in common. */
function ownerOf({ keyId, queried, requester, trader }: StoredCheck) {
  return { keyId, queried, requester, trader };
}

/** Violations of the rules K6, K7 and K9 by one check. */
export function violationsOf(check: StoredCheck, { made, queries }: CheckLife): string[] {
  const found: string[] = [];
  const expectThat = (isTrue: boolean, violation: string) =>
    void (isTrue || found.push(`${check.id} (${check.status}): ${violation}`));
  const { answer, status } = check;
  expectThat(status !== 'pending', 'has not ended');
  expectThat((answer !== undefined) === (status === 'answered'), 'has an answer or lacks one');
  const { valid, consultationNumber } = printCheck(check);
  expectThat(status === 'answered' || (valid ?? consultationNumber) === null, 'says something');
  const own = made.filter((one) => isOf(one, check));
  expectThat(check.attempts <= own.length, 'counts more attempts than were made');
  if (answer === undefined) return found;
  const source = made.find((one) => answerOf(one)?.name === answer.name);
  if (source === undefined || source.isLost) return [...found, `${check.id}: an invented answer`];
  const { outcome } = queries.find(({ outcome: of }) => nameIn(of) === answer.name) ?? {};
  const said = outcome?.kind === 'answered' ? outcome.answer : undefined;
  expectThat(
    said?.valid === answer.valid && (said.consultationNumber ?? null) === consultationNumber,
    'is not what the registry answered',
  );
  expectThat(
    isDeepStrictEqual(ownerOf(source.check), ownerOf(check)),
    `has the answer to ${JSON.stringify(ownerOf(source.check))}`,
  );
  if (answer.valid || !isOf(source, check)) return found;
  const atMs = endOf(source);
  const isSecond = own.some(
    (one) => answerOf(one)?.valid === false && atMs - endOf(one) >= minuteMs,
  );
  const isNear = made.some(
    (one) =>
      isFault(one, check) && !one.isLost && endOf(one) < atMs && atMs - endOf(one) <= 10 * minuteMs,
  );
  expectThat(isSecond || !isNear, 'is false near an outage, without a second answer');
  return found;
}

/** Whether an attempt was that of a check, or of an equal one of its batch. */
function isOf({ check: { id, equal = [] } }: Made, check: StoredCheck): boolean {
  return id === check.id || equal.includes(check.id);
}

/** Each answer of the registry has a name of its own. */
function nameIn(outcome: RegistryOutcome): string | undefined {
  return outcome.kind === 'answered' ? (outcome.answer.name ?? undefined) : undefined;
}

function answerOf({ end }: Made) {
  return end.kind === 'made' && end.outcome.kind === 'answered' ? end.outcome.answer : undefined;
}

function endOf({ end }: Made): number {
  return end.kind === 'made' ? end.endedAt : Number.NaN;
}

function isFault({ end, check }: Made, { queried }: StoredCheck): boolean {
  const isOfState = check.queried?.registryCode === queried?.registryCode;
  return isOfState && end.kind === 'made' && end.outcome.kind === 'memberStateUnavailable';
}

/** Violations of rule K4: a caller gets the check that it wanted, of its own key and requester. */
export function returnViolationsOf({ returned }: CheckLife): string[] {
  return returned
    .filter(({ wanted: { keyId, request }, check }) => {
      const { vatNumber: queried, requester, trader } = request;
      return !isDeepStrictEqual(ownerOf(check), { keyId, queried, requester, trader });
    })
    .map(({ wanted, check }) => `${wanted.keyId} gets ${JSON.stringify(ownerOf(check))}`);
}

/** Violations of rule K14: one `vat.checked` of its key for each check, with the check as its key reads it. */
export async function eventViolationsOf(db: Db, checks: readonly StoredCheck[]): Promise<string[]> {
  const columns = ['type', 'key_id', 'subject', 'body'] as const;
  const events = await db.selectFrom('events').select(columns).execute();
  const found = events.map(({ type, key_id: keyId, subject, body }) => {
    const { check } = JSON.parse(body ?? '{}') as { readonly check?: unknown };
    return JSON.stringify({ type, keyId, subject, check });
  });
  const expected = checks
    .filter(({ status }) => status !== 'pending')
    .map((check) => ({ check, keyId: check.keyId, subject: check.id }))
    .map(({ check, ...of }) =>
      JSON.stringify({ type: 'vat.checked', ...of, check: printCheck(check) }),
    );
  const [missing, unexpected] = [
    new Set(expected).difference(new Set(found)),
    new Set(found).difference(new Set(expected)),
  ];
  return [
    ...[...missing].map((text) => `no event ${text}`),
    ...[...unexpected].map((text) => `an event too many ${text}`),
    ...(found.length > new Set(found).size ? ['an event twice'] : []),
  ];
}

/** Violations of the rules K7, K15 and K18 by the proof of one check; `proof` is its consultation number. */
export async function proofViolationsOf(
  db: Db,
  check: StoredCheck,
  evidence: Pick<CheckEvidence, 'find'>,
): Promise<{ readonly violations: readonly string[]; readonly isProven: boolean }> {
  const violations: string[] = [];
  for (const keyId of keys.filter((other) => other !== check.keyId)) {
    if ((await findCheck(db, keyId, check.id)) !== undefined) {
      violations.push(`${keyId} reads ${check.id} of ${check.keyId}`);
    }
  }
  const found = await evidence.find(db, check);
  if (found.kind === 'none') {
    if (check.status === 'answered') violations.push(`${check.id} has no proof`);
    return { violations, isProven: false };
  }
  // The bytes that were exchanged must be about this check's number, requester, trader and answer.
  const { faults } = await verifyEvidence(Buffer.from(printEvidence(found.evidence)));
  violations.push(...faults.map((fault) => `the proof of ${check.id}: ${fault}`));
  if (found.evidence.id !== check.id) violations.push(`${check.id} has another proof`);
  return { violations, isProven: true };
}
