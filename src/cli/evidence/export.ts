import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../../platform/files/files.ts';
import { explainFullDisk } from '../../platform/files/full-disk.ts';
import { errorCodeOf } from '../../platform/log/errors.ts';
import { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { type IsoDate, midnightOf } from '../../platform/time/time.ts';
import { createCheckEvidence } from '../../vat-check/stored/evidence/check-evidence.ts';
import { printEvidence } from '../../vat-check/stored/evidence/evidence.ts';
import {
  countPendingSince,
  iterateProvable,
} from '../../vat-check/stored/evidence/provable-checks.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, type Report, sentenceOf } from '../command/report.ts';
import { nameFile } from '../running/name-file.ts';
import { createProgress } from '../running/progress.ts';
import { withDatabase } from '../running/with-database.ts';

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
  { since, out }: { readonly since: IsoDate; readonly out: string },
): Promise<Report> {
  const sinceMs = midnightOf(since);
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

/** The end of the attempt to write a file: one with the same bytes may be there already; others are never replaced. */
type WriteEnd = 'written' | 'same' | 'differs';

/** Makes the folder of an export, readable for its owner only, unless it exists. */
function makeFolder(folder: string): void {
  try {
    createFolder(folder);
  } catch (cause) {
    throw new CommandFailure(
      `the folder ${folder} cannot be made: ${sentenceOf(explainFullDisk(cause, folder))}`,
    );
  }
}

/**
 * Writes a file that is complete or absent whenever the process ends, readable for its owner only.
 *
 * The bytes are written under another name first.
 */
function writeWhole(folder: string, name: string, bytes: string): WriteEnd {
  const file = join(folder, name);
  const part = join(folder, `.${name}.${randomBytes(6).toString('hex')}.part`);
  try {
    writeFileSync(part, bytes, { mode: 0o600, flag: 'wx' });
    nameFile(part, file);
    return 'written';
  } catch (cause) {
    if (errorCodeOf(cause) !== 'EEXIST') {
      throw new CommandFailure(
        `${file} cannot be written: ${sentenceOf(explainFullDisk(cause, folder))}`,
      );
    }
    return readFileSync(file, 'utf8') === bytes ? 'same' : 'differs';
  } finally {
    rmSync(part, { force: true });
  }
}
