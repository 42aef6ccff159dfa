import { type Kysely, sql } from 'kysely';

/** Characters of the country and of the number of a check (rule K4). */
const countryCodeMax = 8;
const vatNumberMax = 64;
/** Checks that one statement cuts. */
const portion = 100;

type Echo = { countryCode: string; vatNumber: string };

/**
 * Cuts the countries and numbers that earlier versions stored in any length, in rejected rows of batches and in the
 * events about them. No registry was queried for such a number, so there is no evidence that has it.
 *
 * The texts stay in the database, except for the body of one event at a time: there may be gigabytes of them. The sizes
 * are read from the heads of the rows. The index of checks that are not answered finds them.
 */
export async function cutLongNumbers(db: Kysely<unknown>): Promise<void> {
  for (let after = ''; ;) {
    const { rows } = await sql<{ id: string }>`
      select id from vat_checks
      where status = 'rejected' and status <> 'answered' and number is null and id > ${after} and (
        octet_length(country_code) > ${sql.lit(countryCodeMax)}
        or octet_length(vat_number) > ${sql.lit(vatNumberMax)})
      order by id limit ${sql.lit(portion)}`.execute(db);
    const ids = rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) return;
    await sql`update vat_checks set
        country_code = substr(country_code, 1, ${sql.lit(countryCodeMax)}),
        vat_number = substr(vat_number, 1, ${sql.lit(vatNumberMax)})
      where id in (${sql.join(ids)})`.execute(db);
    await cutEvents(db, ids);
    after = last;
  }
}

async function cutEvents(db: Kysely<unknown>, checkIds: readonly string[]): Promise<void> {
  const events = await sql<{ id: string }>`
    select id from events where subject in (${sql.join(checkIds)})`.execute(db);
  for (const { id } of events.rows) {
    const { rows } = await sql<{ body: string }>`
      select body from events where id = ${id} and body is not null`.execute(db);
    for (const { body } of rows) {
      await sql`update events set body = ${cutBody(body)} where id = ${id}`.execute(db);
    }
  }
}

/** The body with the check as it is stored now; its other fields stay as they are, in their order. */
function cutBody(body: string): string {
  const event = JSON.parse(body) as { readonly check?: Echo };
  const { check } = event;
  if (check !== undefined) {
    check.countryCode = cut(check.countryCode, countryCodeMax);
    check.vatNumber = cut(check.vatNumber, vatNumberMax);
  }
  return JSON.stringify(event);
}

/** Cuts as `substr` of the database does: by characters, not by UTF-16 units. */
function cut(text: string, charactersMax: number): string {
  return Array.from(text.slice(0, 2 * charactersMax))
    .slice(0, charactersMax)
    .join('');
}
