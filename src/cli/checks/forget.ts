import { writeAudit } from '../../platform/database/audit.ts';
import type { Tx } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time.ts';
import { forgetNumber } from '../../vat-check/stored/delete-checks.ts';
import { deleteEvents } from '../../webhooks/delete-events.ts';
import type { Io } from '../io.ts';
import { operatorOf, type ReasonOption } from '../operator.ts';
import type { Report } from '../report.ts';
import { withCore } from '../with-core.ts';
import { readNumber } from './arguments.ts';

/**
 * Deletes all data about a VAT number: its checks of all keys and of the operator, their evidence and events, and its
 * watches (rule K18). The audit has counts only, never the number.
 */
export async function forget(
  io: Io,
  options: ReasonOption & { readonly vatNumber: string },
): Promise<Report> {
  const by = operatorOf(io, options);
  const number = readNumber('--vat-number', options.vatNumber);
  const { checks, watches } = await withCore(io, async ({ db, clock }) => {
    const audit = async (tx: Tx, detail: { readonly checks?: number; readonly watches?: number }) =>
      writeAudit(tx, {
        at: formatInstant(clock.now()),
        action: 'checks.forget',
        subject: 'a VAT number',
        by,
        detail,
      });
    return forgetNumber(db, number, {
      checksDeleted: async (tx, ids) => {
        await deleteEvents(tx, ids);
        await audit(tx, { checks: ids.length });
      },
      watchesDeleted: async (tx, count) => audit(tx, { watches: count }),
    });
  });
  return {
    document: { checks, watches },
    text:
      `${checks} checks with their evidence and ${watches} watches deleted.\n` +
      'Backups and exported evidence still have them. Answers in memory and in Redis end within the hour.',
  };
}
