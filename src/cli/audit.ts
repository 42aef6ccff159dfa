import { listAudit } from '../platform/database/audit.ts';
import type { Io, Report } from './report.ts';
import { readLimit } from './options.ts';
import { withDatabase } from './with-database.ts';

/** Lists the changes that operators made by hand, who made them and why, and those of callers; newest first. */
export async function showAudit(io: Io, options: { readonly limit: string }): Promise<Report> {
  const limit = readLimit(options.limit);
  const entries = await withDatabase(io, async ({ db }) => listAudit(db, limit));
  return {
    document: entries,
    text: {
      rows: entries.map(({ at, actor, action, subject, reason, detail }) => ({
        at,
        actor,
        action,
        subject,
        reason,
        detail: JSON.stringify(detail),
      })),
      empty: 'No changes are recorded yet.',
    },
  };
}
