import { sql, type SqlBool } from 'kysely';
import { writeAudit } from '../../platform/database/audit.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { forgetNumber } from '../../vat-check/stored/delete-checks.ts';
import type { VatNumber } from '../../vat-check/numbers/vat-number.ts';
import { deleteEvents } from '../../webhooks/delete-events.ts';
import { changing, required } from '../command/command.ts';
import { withDatabase } from '../running/with-database.ts';
import { vatNumber } from './arguments.ts';

/**
 * Deletes all data about a VAT number: its checks of all keys and of the operator, their evidence and events, and its
 * watches (rule K18). Reports where the number stays, as a requester. The audit has counts only, never the number.
 */
export const forget = changing({
  words: 'forget',
  says: 'delete all data about a VAT number: its checks of all API keys with their evidence and events, and its watches',
  examples: ['checks forget --vat-number DE811115368 --reason "request of the trader"'],
  options: { vatNumber: required('<number>', 'the number, such as DE811115368', vatNumber) },
  run: async (io, { options: { vatNumber: number }, by }) => {
    const { kept, ...deleted } = await withDatabase(io, async ({ db, clock }) => {
      // By the first of the ids that were deleted together: their transaction may be repeated.
      const eventsOf = new Map<string | undefined, number>();
      const audit = async (
        tx: Tx,
        detail: { readonly checks?: number; readonly watches?: number },
      ) =>
        writeAudit(tx, {
          at: formatInstant(clock.now()),
          action: 'checks.forget',
          subject: 'a VAT number',
          by,
          detail,
        });
      const counts = await forgetNumber(db, number, {
        checksDeleted: async (tx, ids) => {
          eventsOf.set(ids[0], await deleteEvents(tx, ids));
          await audit(tx, { checks: ids.length });
        },
        watchesDeleted: async (tx, ids) => {
          eventsOf.set(ids[0], await deleteEvents(tx, ids));
          await audit(tx, { watches: ids.length });
        },
      });
      const events = [...eventsOf.values()].reduce((sum, count) => sum + count, 0);
      return { ...counts, events, kept: await countAsRequester(db, number) };
    });
    return {
      document: { ...deleted, kept },
      text: `${describeDeleted(deleted)}\n${describeKept(kept)}`,
    };
  },
});

function describeDeleted({
  checks,
  events,
  watches,
}: Record<'checks' | 'events' | 'watches', number>) {
  return `Deleted: ${checks} checks with their evidence, ${events} events about them with their deliveries, ${watches} watches.`;
}

/** Rows that have the number as a requester. */
type Kept = { readonly checks: number; readonly watches: number; readonly keys: number };

function describeKept({ checks, watches, keys }: Kept): string {
  const asRequester =
    checks + watches + keys === 0
      ? 'No check, watch or API key has the number as its requester.'
      : `Kept: ${checks} checks of other numbers, with their evidence and events, ${watches} watches and ${keys} API keys have the ` +
        'number as their requester.';
  return (
    `${asRequester}\nBackups, exported evidence and receivers of webhooks still have what they got. ` +
    'Answers in memory and in Redis end within the hour.'
  );
}

/** Whether a key has a requester, one of several. */
function isRequesterOfKey(requester: string) {
  const further = sql<string>`',' || coalesce(further_requesters, '') || ','`;
  return sql<SqlBool>`requester = ${requester} or ${further} like ${`%,${requester},%`}`;
}

async function countAsRequester(db: Db, { registryCode, number }: VatNumber): Promise<Kept> {
  const countOf = async (table: 'vat_checks' | 'vat_watches') => {
    const rows = db.selectFrom(table).select((e) => e.fn.countAll().as('count'));
    const ofRequester = rows
      .where('requester_code', '=', registryCode)
      .where('requester_number', '=', number);
    return Number((await ofRequester.executeTakeFirstOrThrow()).count);
  };
  const keys = db.selectFrom('api_keys').select('id');
  return {
    checks: await countOf('vat_checks'),
    watches: await countOf('vat_watches'),
    keys: (await keys.where(isRequesterOfKey(`${registryCode}${number}`)).execute()).length,
  };
}
