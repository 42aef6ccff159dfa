import type { Db } from '../../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../../platform/database/unavailable.ts';
import { formatInstant } from '../../../platform/time/time.ts';

const registry = 'hmrc';
/** Control numbers of a key. */
const kept = 3;

/** The control numbers of keys, shared by all replicas (rule M10). While the database is away there are none. */
export class ControlStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The control numbers of a key, the newest first. */
  async list(keyId: string): Promise<readonly string[]> {
    const rows = await unlessAway(async () => this.#select(keyId).execute());
    return (rows ?? []).map(({ number }) => number);
  }

  /** Adds a number, and deletes those that are no longer among the newest. */
  async note(keyId: string, number: string, atMs: number): Promise<void> {
    const answered_at = formatInstant(atMs);
    await unlessAway(async () =>
      this.#db.transaction().execute(async (tx) => {
        await tx
          .insertInto('registry_controls')
          .values({ registry, key_id: keyId, number, answered_at })
          .onConflict((conflict) =>
            conflict.columns(['registry', 'key_id', 'number']).doUpdateSet({ answered_at }),
          )
          .execute();
        const newest = new ControlStore(tx).#select(keyId).limit(kept);
        await tx
          .deleteFrom('registry_controls')
          .where('registry', '=', registry)
          .where('key_id', '=', keyId)
          .where(
            'number',
            'not in',
            (await newest.execute()).map((row) => row.number),
          )
          .execute();
      }),
    );
  }

  /** Deletes a number that is not registered any more. */
  async drop(keyId: string, number: string): Promise<void> {
    await unlessAway(async () =>
      this.#db
        .deleteFrom('registry_controls')
        .where('registry', '=', registry)
        .where('key_id', '=', keyId)
        .where('number', '=', number)
        .execute(),
    );
  }

  #select(keyId: string) {
    return this.#db
      .selectFrom('registry_controls')
      .select('number')
      .where('registry', '=', registry)
      .where('key_id', '=', keyId)
      .orderBy('answered_at', 'desc')
      .orderBy('number');
  }
}

async function unlessAway<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isDatabaseUnavailable(error)) return undefined;
    throw error;
  }
}
