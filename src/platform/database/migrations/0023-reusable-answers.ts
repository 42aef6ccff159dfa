import { type Kysely, sql } from 'kysely';
import { engineOf } from '../dialect.ts';

/**
 * Adds the index by which an answer is found that may be used again (`maxAgeSeconds` of rule K4): by key, number, requester
 * and trader, the newest last. Only answered checks are in it.
 */
export async function indexReusableAnswers(db: Kysely<unknown>): Promise<void> {
  await sql`create index vat_checks_reusable on vat_checks (
      key_id, registry_code, number, coalesce(requester_code, ''), coalesce(requester_number, ''),
      (${engineOf(db).textInIndex(sql.ref('trader'))}), ended_at)
    where status = 'answered'`.execute(db);
}
