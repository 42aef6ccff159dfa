import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';

/**
 * Every column of text that is encrypted with SECRET_KEY. A new column is added here, so that a starting process
 * tries its key on it and `secrets rotate` encrypts it again. The tables are in the order of their migrations.
 *
 * The encryption is bound to the text of the column `context`; `order` sorts rows by age.
 */
const encryptedColumns = [
  {
    table: 'webhook_secrets',
    id: 'id',
    column: 'sealed',
    context: 'subscription_id',
    order: 'created_at',
  },
  {
    table: 'evidence_keys',
    id: 'id',
    column: 'sealed',
    context: 'id',
    order: 'created_at',
  },
  {
    table: 'webhook_headers',
    id: 'subscription_id',
    column: 'sealed',
    context: 'subscription_id',
    order: 'created_at',
  },
] as const;

/** Rows in one statement. */
const portionRows = 200;

/** A stored text, encrypted, and the text that its encryption is bound to. */
export type EncryptedText = { readonly sealed: string; readonly context: string };

type EncryptedRow = EncryptedText & { readonly id: string };

/** Reads the newest text of each column; all texts are encrypted with the same key. */
export async function sampleEncrypted(db: Db): Promise<EncryptedText[]> {
  const samples: EncryptedText[] = [];
  for (const column of encryptedColumns) samples.push(...(await selectNewest(db, column)));
  return samples;
}

/**
 * Reads one encrypted text; undefined if none is stored. A database of an earlier version may lack a table: then this
 * throws only if the tables that it has are empty, because those of earlier versions are read first.
 */
export async function findEncrypted(db: Db): Promise<EncryptedText | undefined> {
  for (const column of encryptedColumns) {
    const [newest] = await selectNewest(db, column);
    if (newest !== undefined) return newest;
  }
  return undefined;
}

async function selectNewest(
  db: Db,
  { table, column, context, order }: (typeof encryptedColumns)[number],
): Promise<readonly EncryptedText[]> {
  const { rows } = await sql<EncryptedText>`
    select ${sql.ref(column)} as "sealed", ${sql.ref(context)} as "context" from ${sql.table(table)}
    order by ${sql.ref(order)} desc limit 1`.execute(db);
  return rows;
}

/**
 * Replaces every encrypted text by the result of `encryptAgain`, or leaves it if that is undefined. Returns the number
 * of replaced texts.
 */
export async function replaceEncrypted(
  tx: Tx,
  encryptAgain: (text: EncryptedText) => string | undefined,
): Promise<number> {
  let replaced = 0;
  for (const { table, id, column, context } of encryptedColumns) {
    let after = '';
    for (;;) {
      const { rows } = await sql<EncryptedRow>`
        select ${sql.ref(id)} as "id", ${sql.ref(column)} as "sealed", ${sql.ref(context)} as "context"
        from ${sql.table(table)} where ${sql.ref(id)} > ${after}
        order by ${sql.ref(id)} limit ${portionRows}`.execute(tx);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      const cases = rows.flatMap((row) => {
        const sealed = encryptAgain(row);
        return sealed === undefined ? [] : [{ id: row.id, sealed }];
      });
      if (cases.length === 0) continue;
      const when = sql.join(
        cases.map((one) => sql`when ${one.id} then ${one.sealed}`),
        sql` `,
      );
      await sql`update ${sql.table(table)}
        set ${sql.ref(column)} = case ${sql.ref(id)} ${when} end
        where ${sql.ref(id)} in (${sql.join(cases.map((one) => one.id))})`.execute(tx);
      replaced += cases.length;
    }
  }
  return replaced;
}
