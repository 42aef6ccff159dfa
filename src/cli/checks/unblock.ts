import { writeAudit } from '../../platform/database/audit.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { endBlock } from '../../vat-check/block-sharing.ts';
import type { Io, Report } from '../report.ts';
import { operatorOf, type ReasonOption } from '../operator.ts';
import { withDatabase } from '../with-database.ts';

/** Ends the block by VIES for all servers, which make calls again within a second (rule K21a). */
export async function unblock(io: Io, options: ReasonOption): Promise<Report> {
  const by = operatorOf(io, options);
  const ended = await withDatabase(io, async ({ db, clock }) =>
    db.transaction().execute(async (tx) => {
      const block = await endBlock(tx);
      if (block === undefined) return undefined;
      const { reason } = block;
      const blockedUntil = formatInstant(block.untilMs);
      const detail = { reason, blockedUntil };
      const at = formatInstant(clock.now());
      await writeAudit(tx, { at, action: 'checks.unblock', subject: 'vies', by, detail });
      return detail;
    }),
  );
  const { reason = null, blockedUntil = null } = ended ?? {};
  return {
    document: { ended: ended !== undefined, reason, blockedUntil },
    text:
      ended === undefined
        ? 'VIES does not block this service: there is nothing to end.'
        : `Ended the block by VIES until ${blockedUntil} (${reason}). If VIES still refuses this service, three refusals begin the next block.`,
  };
}
