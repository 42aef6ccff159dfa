import { LRUCache } from 'lru-cache';
import type { Db } from '../../platform/database/database.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import type { CountryRows, SetRows } from './category-row.ts';
import { joinRows, type SetIds } from './category-sets.ts';
import { findRows, findSnapshotCategories } from './category-store.ts';

/** Room for the rows of about six snapshots that have no set in common. */
const setsMax = 160;

/** Reads the rows of snapshots by goods category. Sets are kept in memory, because most dates have the same ones. */
export class CategoryReader {
  readonly #db: Db;
  readonly #sets = new LRUCache<string, SetRows>({ max: setsMax });

  constructor(db: Db) {
    this.#db = db;
  }

  /** The rows of a snapshot by country; undefined for a snapshot without rows and for a date without a snapshot. */
  async find(version: IsoDate): Promise<readonly CountryRows[] | undefined> {
    const found = await findSnapshotCategories(this.#db, version);
    return found === undefined ? undefined : this.read(found.sets);
  }

  /** The rows of sets by country. */
  async read(sets: SetIds): Promise<readonly CountryRows[]> {
    const rows = new Map<string, SetRows>();
    for (const id of Object.values(sets)) {
      const known = this.#sets.get(id);
      if (known !== undefined) rows.set(id, known);
    }
    const missing = Object.values(sets).filter((id) => !rows.has(id));
    for (const [id, own] of await findRows(this.#db, missing)) {
      rows.set(id, own);
      this.#sets.set(id, own);
    }
    return joinRows(sets, rows);
  }
}
