import type { Db, Tx } from '../../../platform/database/database.ts';
import { mapPortions } from '../../../platform/database/portions.ts';
import { SecretKeyMismatch } from '../../../platform/encryption/secret-box.ts';
import type { SecretKeys } from '../../../platform/encryption/secret-keys.ts';
import { FailureLog, type Log } from '../../../platform/log/log.ts';
import type { Clock } from '../../../platform/time/time.ts';
import type { RecordedExchange, ResponseHead } from '../../registries/exchange-recorder.ts';
import type { ExchangeRow, Reuse } from '../batches/batch-store.ts';
import { printCheck } from '../print-check.ts';
import type { StoredCheck } from '../stored-check.ts';
import { type Evidence, makeEvidence } from './evidence.ts';
import { EvidenceKeys } from './evidence-keys.ts';
import type { Manifest } from './manifest.ts';
import type { Control, PublicJwk } from './definitions.ts';
import type { SigningKey } from './signing-key.ts';

/** Exchanges that are signed in one turn of the event loop: 4 ms. */
const portionReuses = 25;

/** Creates the evidence of stored checks, whose signing keys the same SECRET_KEY protects as the secrets of webhooks. */
export function createCheckEvidence(parts: {
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
  readonly log: Log;
}): CheckEvidence {
  return new CheckEvidence({ keys: new EvidenceKeys(parts), log: parts.log });
}

/** The evidence of an ended check; `none` if the registry was never queried for it. */
type FoundEvidence =
  | { readonly kind: 'evidence'; readonly evidence: Evidence }
  | { readonly kind: 'none' };

/**
 * The evidence of stored checks (rule K15).
 *
 * It is signed in the transaction that ends the check. If the key cannot be opened then, the check still ends,
 * and the evidence is signed when it is read for the first time: bytes and check do not change after the end.
 */
export class CheckEvidence {
  readonly #keys: EvidenceKeys;
  readonly #failures: FailureLog;

  constructor(parts: { readonly keys: EvidenceKeys; readonly log: Log }) {
    this.#keys = parts.keys;
    this.#failures = new FailureLog(parts.log, 'evidence of checks not signed');
  }

  /** Signs the evidence of a check in the transaction that ends it. A check without an exchange has none. */
  async signEnded(tx: Tx, check: StoredCheck): Promise<void> {
    const exchange = await findExchange(tx, check.id);
    if (exchange === undefined) return;
    try {
      await this.#sign(tx, check, exchange);
      this.#failures.succeeded();
    } catch (error) {
      // An error of the database has ended the transaction, so it must not be caught.
      if (!(error instanceof SecretKeyMismatch)) throw error;
      this.#failures.failed(error);
    }
  }

  /**
   * Makes exchanges of checks that reuse an answer, signed, before they are stored. If the key cannot be opened, they are
   * not signed yet.
   */
  async signReused(db: Db, reuses: readonly Reuse[]): Promise<readonly ExchangeRow[]> {
    const key = await this.#findKey(db);
    return mapPortions(reuses, portionReuses, (portion) =>
      portion.map(({ check, exchange }) => {
        const row = { ...exchange, ...unsigned, check_id: check.id };
        return key === undefined ? row : { ...row, ...toColumns(signRow(check, row, key)) };
      }),
    );
  }

  /** The current key; undefined if it cannot be opened. */
  async #findKey(db: Db): Promise<SigningKey | undefined> {
    try {
      const key = await db.transaction().execute(async (tx) => this.#keys.current(tx));
      this.#failures.succeeded();
      return key;
    } catch (error) {
      if (!(error instanceof SecretKeyMismatch)) throw error;
      this.#failures.failed(error);
      return undefined;
    }
  }

  /** The evidence of an ended check. Signs it if that was not possible before; throws if it still is not. */
  async find(db: Db, check: StoredCheck): Promise<FoundEvidence> {
    const exchange = await findExchange(db, check.id);
    if (exchange === undefined) return { kind: 'none' };
    const signed =
      (await toEvidence(db, exchange)) ??
      (await db.transaction().execute(async (tx) => this.#sign(tx, check, exchange)));
    return { kind: 'evidence', evidence: signed };
  }

  async #sign(tx: Tx, check: StoredCheck, row: ExchangeRow): Promise<Evidence> {
    const evidence = signRow(check, row, await this.#keys.current(tx));
    await tx
      .updateTable('vat_check_exchanges')
      .set(toColumns(evidence))
      .where('check_id', '=', check.id)
      .execute();
    return evidence;
  }
}

const unsigned = { manifest: null, signature: null, evidence_key_id: null } as const;

function signRow(check: StoredCheck, row: ExchangeRow, key: SigningKey): Evidence {
  const { registry } = check;
  const control = toControl(row);
  const exchange = toExchange(row);
  return makeEvidence({ check: printCheck(check), exchange, control, registry }, key);
}

function toColumns({ manifest, signature, keyId }: Evidence) {
  const text = Buffer.from(manifest, 'base64').toString();
  return { manifest: text, signature, evidence_key_id: keyId };
}

async function findExchange(db: Db, id: string): Promise<ExchangeRow | undefined> {
  return db
    .selectFrom('vat_check_exchanges')
    .selectAll()
    .where('check_id', '=', id)
    .executeTakeFirst();
}

/** The evidence as it was signed; undefined if it is not signed yet. */
async function toEvidence(db: Db, row: ExchangeRow): Promise<Evidence | undefined> {
  const { manifest, signature, evidence_key_id: keyId, request, response } = row;
  if (manifest === null || signature === null || keyId === null) return undefined;
  const key = await db
    .selectFrom('evidence_keys')
    .select('public_key')
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  const {
    check: _check,
    program: _program,
    control: _,
    ...shared
  } = JSON.parse(manifest) as Manifest;
  const control = toControl(row);
  return {
    ...shared,
    ...(control && { control }),
    request,
    response,
    manifest: Buffer.from(manifest).toString('base64'),
    signature,
    keyId,
    publicKey: JSON.parse(key.public_key) as PublicJwk,
  };
}

function toControl({ control }: ExchangeRow): Control | undefined {
  return control === null ? undefined : (JSON.parse(control) as Control);
}

function toExchange(row: ExchangeRow): RecordedExchange {
  const head = row.head === null ? undefined : (JSON.parse(row.head) as ResponseHead);
  return {
    ...(head && { head }),
    url: row.url,
    request: Buffer.from(row.request, 'base64'),
    response: Buffer.from(row.response, 'base64'),
    requestedAt: Date.parse(row.requested_at),
    answeredAt: row.answered_at === null ? undefined : Date.parse(row.answered_at),
  };
}
