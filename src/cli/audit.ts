import { listAudit } from '../platform/database/audit.ts';
import { formatTable, report, UsageError } from './report.ts';
import { withCore } from './with-core.ts';

/** Shows what operators did by hand, the newest first. */
export async function showAudit(options: {
  readonly limit: string;
  readonly json?: boolean;
}): Promise<void> {
  if (!/^[1-9][0-9]{0,3}$/.test(options.limit)) {
    throw new UsageError(`--limit is ${options.limit}, expected a number from 1 to 9999`);
  }
  const entries = await withCore(async ({ db }) => listAudit(db, Number(options.limit)));
  const text = formatTable(
    ['at', 'action', 'subject', 'detail'],
    entries.map(({ at, action, subject, detail }) => [at, action, subject, JSON.stringify(detail)]),
    'Nothing was done by hand yet.',
  );
  report(options.json, entries, text);
}
