import { listAudit } from '../../platform/database/audit.ts';
import { reporting } from '../command/command.ts';
import { limit } from '../command/options.ts';
import { withDatabase } from '../running/with-database.ts';

export const audit = reporting({
  examples: ['audit --limit 5'],
  options: { limit },
  run: async (io, { options }) => {
    const entries = await withDatabase(io, async ({ db }) => listAudit(db, options.limit));
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
  },
});
