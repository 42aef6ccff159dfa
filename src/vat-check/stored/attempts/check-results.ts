import type { Updateable } from 'kysely';
import { isUnclaimed, unclaimed } from '../../../platform/database/claims.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { markCommit } from '../../../platform/database/marks.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { formatInstant } from '../../../platform/time/time.ts';
import type { RegistryAnswer } from '../../registries/outcome.ts';
import type { RecordedExchange } from '../../registries/exchange-recorder.ts';
import { hintOfAnswer, refusedTextHint } from '../../numbers/hint.ts';
import { isGroupFault } from '../../calls/faults.ts';
import { registries } from '../../registries/registries.ts';
import type { RegistryName } from '../../registries/registry.ts';
import { toControl } from '../evidence/control.ts';
import type { QueryEnd } from './registry-queries.ts';
import type { ClaimedCheck } from './claim-next.ts';
import { writeFaultAt } from './fault-notes.ts';
import type { OnEnded } from '../on-ended.ts';
import { advance, expire, type Pending, type Progress } from './progress.ts';
import { type CheckRow, type StoredCheck, toStoredCheck } from '../stored-check.ts';

type Made = Extract<QueryEnd, { kind: 'made' }>;

/**
 * Writes the result of an attempt: the check has ended, or is due again (rules K6, K8 and K9).
 *
 * Returns the check as it is then; undefined if the claim has ended, or the check was deleted or has ended meanwhile: then
 * only a fault of the Member State is written. So an attempt that a crash or a slow process repeats counts once.
 *
 * The row of the registry is locked before that of the check, as every transaction does that locks both.
 */
export async function writeAttempt(
  db: Db,
  check: ClaimedCheck,
  made: Made,
  { random, onEnded }: { readonly random: number; readonly onEnded: OnEnded },
): Promise<StoredCheck | undefined> {
  return db.transaction().execute(async (tx) => {
    // An answer of the registry is not lost with the acknowledgement of a COMMIT.
    await markCommit(tx);
    const faultedAt = await writeFault(tx, check, made);
    return writeOne(tx, check, made, { faultedAt, random, onEnded });
  });
}

/**
 * Writes the result of an attempt to the checks that are equal to its check, each as if the attempt had been its own (rule
 * K8): they have the same answer and the same exchange.
 */
export async function writeEqual(
  db: Db,
  check: ClaimedCheck,
  made: Made,
  written: { readonly random: number; readonly onEnded: OnEnded },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await markCommit(tx);
    const { claim, equal = [] } = check;
    const faultedAt = await writeFault(tx, check, made);
    for (const id of equal) await writeOne(tx, { id, claim }, made, { ...written, faultedAt });
  });
}

async function writeOne(
  tx: Tx,
  { id, claim }: Pick<ClaimedCheck, 'id' | 'claim'>,
  { outcome, isTextRefused = false, startedAt, endedAt, exchange, control }: Made,
  written: {
    readonly faultedAt: string | undefined;
    readonly random: number;
    readonly onEnded: OnEnded;
  },
): Promise<StoredCheck | undefined> {
  const { faultedAt, random, onEnded } = written;
  const row = await selectPending(tx, id).where('claim', '=', claim).executeTakeFirst();
  if (row === undefined) return undefined;
  const stateFaultedAt = faultedAt === undefined ? undefined : Date.parse(faultedAt);
  const { retryAt } = registries[toStoredCheck(row).registry];
  const attempt = { outcome, isTextRefused, startedAt, endedAt, random, stateFaultedAt, retryAt };
  const progress = advance<RegistryAnswer>(toPending(row), attempt);
  if (exchange !== undefined) {
    await writeExchange(tx, id, { exchange, control, registry: toStoredCheck(row).registry });
  }
  return writeProgress(tx, row, progress, onEnded);
}

/**
 * Ends a check without a further attempt; undefined, and writes nothing, if an attempt is under way or it has ended.
 * A check whose key has ended does not wait for `expiresAt`.
 */
export async function writeExpiry(
  db: Db,
  id: string,
  { nowMs, keyHasEnded, onEnded }: ExpiryOptions,
): Promise<StoredCheck | undefined> {
  return db.transaction().execute(async (tx) => {
    const unattempted = isUnclaimed('vat_checks', formatInstant(nowMs));
    const row = await selectPending(tx, id).where(unattempted).executeTakeFirst();
    if (row === undefined) return undefined;
    const pending = toPending(row);
    const expiresAt = keyHasEnded ? nowMs : pending.expiresAt;
    const progress = expire({ ...pending, expiresAt }, nowMs);
    return progress.status === 'pending' ? undefined : writeProgress(tx, row, progress, onEnded);
  });
}

type ExpiryOptions = {
  readonly nowMs: number;
  readonly keyHasEnded: boolean;
  readonly onEnded: OnEnded;
};

/** The row of a check, which it locks; none if the check has ended. */
function selectPending(tx: Tx, id: string) {
  const row = tx.selectFrom('vat_checks').selectAll().where('id', '=', id).forUpdate();
  return row.where('status', '=', 'pending');
}

/**
 * Writes the fault of a Member State that an attempt has seen, even if its check was deleted meanwhile. Returns the newest
 * fault of that Member State; undefined if there was none.
 */
async function writeFault(
  tx: Tx,
  { registry, queried }: Pick<ClaimedCheck, 'registry' | 'queried'>,
  { outcome, endedAt }: Made,
): Promise<string | undefined> {
  if (queried === undefined) return undefined;
  const group = registries[registry].group(queried);
  if (isGroupFault(registry, outcome)) await writeFaultAt(tx, group, endedAt);
  const row = await tx
    .selectFrom('vat_registries')
    .select('faulted_at')
    .where('registry_code', '=', group)
    .executeTakeFirst();
  return row?.faulted_at ?? undefined;
}

async function writeExchange(
  tx: Tx,
  id: string,
  {
    exchange,
    control,
    registry,
  }: Pick<Made, 'exchange' | 'control'> & {
    readonly exchange: RecordedExchange;
    readonly registry: RegistryName;
  },
): Promise<void> {
  const { head } = exchange;
  const row = {
    check_id: id,
    url: exchange.url,
    request: Buffer.from(exchange.request).toString('base64'),
    response: Buffer.from(exchange.response).toString('base64'),
    requested_at: formatInstant(exchange.requestedAt),
    answered_at: exchange.answeredAt === undefined ? null : formatInstant(exchange.answeredAt),
    // The body of VIES decides alone.
    head: registry === 'vies' || head === undefined ? null : JSON.stringify(head),
    control: control === undefined ? null : JSON.stringify(toControl(control)),
  };
  await tx
    .insertInto('vat_check_exchanges')
    .values(row)
    .onConflict((conflict) => conflict.column('check_id').doUpdateSet(row))
    .execute();
}

async function writeProgress(
  tx: Tx,
  row: CheckRow,
  progress: Progress<RegistryAnswer>,
  onEnded: OnEnded,
): Promise<StoredCheck> {
  const set = { ...columnsOf(row, progress), ...unclaimed };
  await tx.updateTable('vat_checks').set(set).where('id', '=', row.id).execute();
  const check = toStoredCheck({ ...row, ...set });
  if (check.status !== 'pending') await onEnded(tx, check);
  return check;
}

function toPending(row: CheckRow): Pending {
  const { failure } = toStoredCheck(row);
  const momentOf = (text: string | null) => (text === null ? undefined : Date.parse(text));
  return {
    status: 'pending',
    attempts: row.attempts,
    failure,
    textRefusals: row.text_refusals,
    unconfirmedFalseAt: momentOf(row.unconfirmed_false_at),
    nextAttemptAt: momentOf(row.next_attempt_at),
    expiresAt: Date.parse(row.expires_at),
  };
}

/** The columns that an attempt or an expiry changes. */
function columnsOf(row: CheckRow, progress: Progress<RegistryAnswer>) {
  const { attempts } = progress;
  if (progress.status === 'pending') {
    const { failure, textRefusals, unconfirmedFalseAt, nextAttemptAt } = progress;
    const next = nextAttemptAt === undefined ? null : formatInstant(nextAttemptAt);
    return {
      attempts,
      failure: failure === undefined ? null : JSON.stringify(failure),
      text_refusals: textRefusals,
      unconfirmed_false_at:
        unconfirmedFalseAt === undefined ? null : formatInstant(unconfirmedFalseAt),
      next_attempt_at: next,
      due_at: next,
    } satisfies Updateable<Tables['vat_checks']>;
  }
  const ended = {
    status: progress.status,
    attempts,
    ended_at: formatInstant(progress.endedAt),
    next_attempt_at: null,
    due_at: null,
  };
  switch (progress.status) {
    case 'answered':
      return { ...ended, failure: null, ...columnsOfAnswer(row, progress.answer) };
    case 'rejected':
      return { ...ended, failure: null, ...columnsOfRefusal(progress.refused) };
    case 'expired': {
      const { failure } = progress;
      return { ...ended, failure: failure === undefined ? null : JSON.stringify(failure) };
    }
  }
}

/** A refused text has the column of a refused number, as releases before know it, and is told from it by its hint. */
function columnsOfRefusal(refused: 'number' | 'requester' | 'text') {
  return refused === 'text' ? { refused: 'number' as const, hint: refusedTextHint } : { refused };
}

function columnsOfAnswer(row: CheckRow, answer: RegistryAnswer) {
  const { consultationNumber = null } = answer;
  const hasRequester = row.requester_code !== null;
  const { registry } = toStoredCheck(row);
  return {
    hint: hintOfAnswer(row.hint, { registry, hasRequester, consultationNumber }),
    valid: answer.valid ? (1 as const) : (0 as const),
    request_date: answer.requestDate,
    name: answer.name,
    address: answer.address,
    consultation_number: consultationNumber,
    trader_match: JSON.stringify(answer.traderMatch),
    valid_from: answer.validFrom ?? null,
    valid_to: answer.validTo ?? null,
  };
}
