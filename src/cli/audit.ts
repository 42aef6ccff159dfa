import { listAudit } from '../platform/database/audit.ts';
import { readLimit } from './limit-option.ts';
import { formatTable, report } from './report.ts';
import { withCore } from './with-core.ts';

/** Shows what operators did by hand and what callers changed of their subscriptions, the newest first. */
export async function showAudit(options: {
  readonly limit: string;
  readonly json?: boolean;
}): Promise<void> {
  const limit = readLimit(options.limit);
  const entries = await withCore(async ({ db }) => listAudit(db, limit));
  const text = formatTable(
    ['at', 'action', 'subject', 'detail'],
    entries.map(({ at, action, subject, detail }) => [at, action, subject, JSON.stringify(detail)]),
    'Nothing was done by hand yet.',
  );
  report(options.json, entries, text);
}
