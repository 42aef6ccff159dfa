import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';
import { createId } from '../src/vat-check/stored/ids.ts';

const dayMs = 86_400_000;
/** Days on which each key was used. */
const daysOfUse = 10;
/** Rows in one statement. */
const portion = 500;

/** Writes one row of use for each key and each of some days, for keys that have none. */
export async function insertUse(db: Db): Promise<void> {
  for (let day = 1; day <= daysOfUse; day += 1) {
    const date = new Date(Date.now() - day * dayMs).toISOString().slice(0, 10);
    await sql`insert into key_use (key_id, use_date, requests)
      select id, ${date}, 1000 + ${day} from api_keys
      where id not in (select key_id from key_use where use_date = ${date})`.execute(db);
  }
}

/** Writes watches of a key, which have been answered; their checks are due within 90 days. */
export async function insertWatches(
  db: Db,
  { keyId, from, to }: { readonly keyId: string; readonly from: number; readonly to: number },
): Promise<void> {
  const at = new Date().toISOString();
  for (let first = from; first < to; first += portion) {
    const rows = Array.from({ length: Math.min(portion, to - first) }, (_, place) => {
      const n = first + place;
      const number = String(20_000_000_000 + n);
      const due = new Date(Date.now() + dayMs + (n / to) * 89 * dayMs).toISOString();
      const checkId = createId('vc', Date.now(), place);
      return {
        id: createId('vw', Date.now(), place),
        key_id: keyId,
        country_code: 'FR',
        vat_number: number,
        registry_code: 'FR' as const,
        number,
        hint: null,
        every_days: 90,
        requester_code: 'NL',
        requester_number: '999999901B01',
        trader: '{}',
        reference: `customer ${n}`,
        due_at: due,
        slot_at: due,
        error: null,
        last_check_id: checkId,
        baseline_check_id: checkId,
        unconfirmed_false_at: null,
        created_at: at,
      };
    });
    await db.insertInto('vat_watches').values(rows).execute();
  }
}

/** Gives the evidence of the first check to each check that has none. The bytes are those of a real exchange. */
export async function copyEvidence(db: Db): Promise<void> {
  await sql`insert into vat_check_exchanges (check_id, url, request, response, requested_at, answered_at,
      manifest, signature, evidence_key_id)
    select checks.id, url, request, response, requested_at, answered_at, manifest, signature, evidence_key_id
    from vat_checks as checks cross join (select * from vat_check_exchanges order by check_id desc limit 1) as first
    where not exists (select 1 from vat_check_exchanges as own where own.check_id = checks.id)`.execute(
    db,
  );
}

/** Writes the event of each check that has none, with the body of a real one. */
export async function insertEvents(db: Db): Promise<void> {
  await sql`insert into events (id, type, key_id, subject, body, created_at)
    select ${sql.lit('evt_')} || substr(checks.id, 4, 24), 'vat.checked', checks.key_id, checks.id, first.body, checks.created_at
    from vat_checks as checks
    cross join (select body from events where body is not null order by created_at desc limit 1) as first
    where checks.id not in (select subject from events where subject is not null)`.execute(db);
}
