import type { Selectable } from 'kysely';
import { type Operator, writeAudit } from '../../../platform/database/audit.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { lockKeyInUse } from '../../../platform/encryption/key-in-use.ts';
import type { SecretKeys } from '../../../platform/encryption/secret-keys.ts';
import { type Clock, formatInstant } from '../../../platform/time/time.ts';
import type { PublicJwk, PublishedKey } from './definitions.ts';
import { makeSigningKey, printPrivateKey, readPrivateKey, type SigningKey } from './signing-key.ts';

type Row = Selectable<Tables['evidence_keys']>;

/**
 * The keys that sign evidence, stored encrypted with SECRET_KEY (rule K15).
 *
 * At most one key is current; a unique index guarantees it. Keys that have ended stay, because their evidence does.
 */
export class EvidenceKeys {
  readonly #secretKeys: SecretKeys;
  readonly #clock: Clock;

  constructor({ secretKeys, clock }: { readonly secretKeys: SecretKeys; readonly clock: Clock }) {
    this.#secretKeys = secretKeys;
    this.#clock = clock;
  }

  /** The key that signs now. The first use creates it; if two processes do so at the same time, both get one key. */
  async current(tx: Tx): Promise<SigningKey> {
    const row = (await findCurrent(tx)) ?? (await this.#create(tx));
    return readPrivateKey(this.#secretKeys.open(row.sealed, row.id));
  }

  /** Ends the current key and creates another, and audits it. `from` is null if there was no key. */
  async rotate(
    db: Db,
    by: Operator,
  ): Promise<{ readonly from: string | null; readonly to: string }> {
    return db.transaction().execute(async (tx) => {
      // Every process that creates a key takes a shared lock on the same row, so it waits.
      await lockKeyInUse(tx);
      const from = (await findCurrent(tx))?.id ?? null;
      const at = formatInstant(this.#clock.now());
      const ended = tx.updateTable('evidence_keys').set({ ended_at: at });
      await ended.where('ended_at', 'is', null).execute();
      const { id: to } = await this.#create(tx);
      await writeAudit(tx, { at, by, action: 'evidence.rotate', subject: to, detail: { from } });
      return { from, to };
    });
  }

  async #create(tx: Tx): Promise<Row> {
    const key = makeSigningKey();
    const row = {
      id: key.id,
      public_key: JSON.stringify(key.publicKey),
      sealed: await this.#secretKeys.seal(tx, printPrivateKey(key), key.id),
      created_at: formatInstant(this.#clock.now()),
      ended_at: null,
    };
    // If another process is creating a key, the statement waits for it, and then does nothing.
    const insert = tx.insertInto('evidence_keys').values(row);
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    const current = await findCurrent(tx);
    if (current === undefined) throw new Error('evidence: the key ended while it was created');
    return current;
  }
}

/** Lists the public keys with the time in which they signed, newest first. */
export async function listEvidenceKeys(db: Db): Promise<PublishedKey[]> {
  const rows = await db
    .selectFrom('evidence_keys')
    .select(['id', 'public_key', 'created_at', 'ended_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ id, public_key, created_at, ended_at }) => ({
    ...(JSON.parse(public_key) as PublicJwk),
    kid: id,
    alg: 'EdDSA',
    use: 'sig',
    createdAt: created_at,
    endedAt: ended_at,
  }));
}

async function findCurrent(tx: Tx): Promise<Row | undefined> {
  const current = tx.selectFrom('evidence_keys').selectAll().where('ended_at', 'is', null);
  return current.executeTakeFirst();
}
