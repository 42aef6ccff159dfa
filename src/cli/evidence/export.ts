import { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { midnightOf } from '../../platform/time/time.ts';
import { createCheckEvidence } from '../../vat-check/stored/evidence/check-evidence.ts';
import { printEvidence } from '../../vat-check/stored/evidence/evidence.ts';
import {
  countPendingSince,
  iterateProvable,
} from '../../vat-check/stored/evidence/provable-checks.ts';
import { type Io, type Report, UsageError } from '../report.ts';
import { standardStream } from '../standard-streams.ts';
import { readDate } from '../options.ts';
import { createProgress } from '../progress.ts';
import { withDatabase } from '../with-database.ts';
import { makeFolder, writeWhole } from './export-files.ts';

/** Differing files that the report names. */
const namedMax = 20;

/**
 * Writes the evidence of all checks that were created since a day (UTC), one file per check (rule K16).
 *
 * It reads one check after the other, so memory does not grow. A file with the same bytes is left, and one with other
 * bytes as well, which is a failure; so the command can be interrupted and repeated.
 */
export async function exportEvidence(
  io: Io,
  options: { readonly since: string; readonly out: string },
): Promise<Report> {
  if (options.out === standardStream) {
    throw new UsageError('--out is -, expected a folder: the evidence of each check is a file');
  }
  const since = readDate('--since', options.since);
  const sinceMs = midnightOf(since);
  const { out } = options;
  using progress = createProgress(io.stderr);
  const done = await withDatabase(io, async ({ config, clock, db, log }, signal) => {
    makeFolder(out);
    const evidence = createCheckEvidence({ secretKeys: SecretKeys.load(config), clock, log });
    const counts = { written: 0, same: 0 };
    const differing: string[] = [];
    for await (const check of iterateProvable(db, sinceMs)) {
      if (signal.aborted) break;
      const found = await evidence.find(db, check);
      // It was deleted meanwhile.
      if (found.kind === 'none') continue;
      const name = `${check.id}.json`;
      const end = writeWhole(out, name, `${printEvidence(found.evidence)}\n`);
      if (end === 'differs') differing.push(name);
      else counts[end] += 1;
      progress.show(`${counts.written} files written, at ${check.createdAt}`);
    }
    const pending = await countPendingSince(db, sinceMs);
    return { since, folder: out, ...counts, differing, pending, interrupted: signal.aborted };
  });
  return {
    document: done,
    text:
      `${done.written} files written to ${out}, ${done.same} were there already` +
      (done.pending === 0 ? '' : `; ${done.pending} checks are still pending and have none yet`),
    failure: failureOf(done),
  };
}

function failureOf(done: {
  readonly folder: string;
  readonly differing: readonly string[];
  readonly interrupted: boolean;
}): string | undefined {
  const { folder, differing, interrupted } = done;
  if (differing.length > 0) {
    const names = differing.slice(0, namedMax).join(', ');
    const more = differing.length > namedMax ? ` and ${differing.length - namedMax} more` : '';
    return (
      `files in ${folder} differ from the evidence and were not replaced: ${names}${more}; ` +
      'verify them, and export to another folder'
    );
  }
  return interrupted ? 'interrupted; call the command again to continue' : undefined;
}
