import type { Claim } from '../../platform/database/claims.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { markCommit } from '../../platform/database/marks.ts';
import type { CheckRequest } from './requests/check-request.ts';
import { findReusable, insertChecks, lockExisting, type NewCheck } from './check-store.ts';
import {
  chargeNameOf,
  createOnce,
  type RequestMoment,
  type SentIdempotencyKey,
} from './idempotency.ts';
import type { OpenCharges } from './open-charges.ts';
import { type StoredCheck, toStoredCheck } from './stored-check.ts';

/** A check as a caller requests it, with its `Idempotency-Key` if it sent one. */
export type WantedCheck = {
  readonly keyId: string;
  readonly request: CheckRequest;
  /** Left out for the operator, who is not charged. */
  readonly chargeQuery?: ChargeQuery;
  /** Undefined without the header `Idempotency-Key`. */
  readonly idempotency: SentIdempotencyKey | undefined;
};

/** Charges one query of the registry to the quota of the caller's key, or throws the 429 (rule K10). */
type ChargeQuery = () => void | Promise<void>;

export type Creation =
  /** A check that this request has stored; the registry is still to be queried. */
  | { readonly kind: 'created'; readonly check: StoredCheck }
  /** An earlier check: of the same idempotency key, or answered recently enough. */
  | { readonly kind: 'reused'; readonly check: StoredCheck }
  /** Another body came with the same idempotency key (409). */
  | { readonly kind: 'conflict' };

type Options = RequestMoment & {
  /** For a check whose first attempt this process makes; undefined leaves it to the worker. */
  readonly claim: Claim | undefined;
  readonly charges: OpenCharges;
};

/** Stores a check, or finds the earlier one that the request may be answered with (rule K4), in one transaction. */
export async function createCheck(
  db: Db,
  { keyId, request, idempotency, chargeQuery }: WantedCheck,
  { claim, charges, ...moment }: Options,
): Promise<Creation> {
  const { nowMs } = moment;
  const wanted = toNewCheck(keyId, request);
  const name = chargeNameOf(keyId, idempotency);
  const creation = await db.transaction().execute(async (tx): Promise<Creation> => {
    await markCommit(tx);
    let isNew = false;
    const create = async (): Promise<StoredCheck> => {
      const known = await lockReusable(tx, wanted, nowMs);
      if (known !== undefined) return known;
      // In the transaction: of requests with one idempotency key at the same time, one creates and is charged.
      if (chargeQuery !== undefined) await charges.charge(name, 1, chargeQuery);
      isNew = true;
      const at = { nowMs, ...(claim === undefined ? undefined : { claim }) };
      const [check] = await insertChecks(tx, [wanted], at);
      if (check === undefined) throw new Error('no check was inserted');
      return check;
    };
    const result =
      idempotency === undefined
        ? ({ kind: 'created', check: await create() } as const)
        : await createOnce(tx, { keyId, ...idempotency }, moment, create);
    if (result.kind === 'conflict') return result;
    return { kind: isNew ? 'created' : 'reused', check: result.check };
  });
  charges.end(name);
  return creation;
}

/** The check whose answer may be returned; it cannot be deleted until the transaction ends. */
async function lockReusable(
  tx: Tx,
  wanted: NewCheck,
  nowMs: number,
): Promise<StoredCheck | undefined> {
  const { maxAgeSeconds } = wanted;
  if (maxAgeSeconds === 0) return undefined;
  const question = { ...wanted, oldestMs: nowMs - maxAgeSeconds * 1_000 };
  const [known] = await findReusable(tx, wanted.keyId, [question]);
  if (known === undefined || !(await lockExisting(tx, [known.id])).has(known.id)) return undefined;
  return toStoredCheck(known);
}

function toNewCheck(keyId: string, request: CheckRequest): NewCheck {
  const { echo, registry, vatNumber, requester, trader, hint, reference } = request;
  const { expiresInHours, maxAgeSeconds } = request;
  const given = { requester, trader, hint, reference, expiresInHours, maxAgeSeconds };
  return { keyId, registry, ...echo, queried: vatNumber, ...given };
}
