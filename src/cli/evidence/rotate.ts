import { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { EvidenceKeys } from '../../vat-check/stored/evidence/evidence-keys.ts';
import type { Io } from '../command/io.ts';
import type { Report } from '../command/report.ts';
import type { Operator } from '../../platform/database/audit.ts';
import { withDatabase } from '../running/with-database.ts';

/** Ends the key that signs evidence and creates another; servers may run, and use it from their next signature on. */
export async function rotate(io: Io, by: Operator): Promise<Report> {
  const rotation = await withDatabase(io, async ({ config, clock, db }) =>
    new EvidenceKeys({ secretKeys: SecretKeys.load(config), clock }).rotate(db, by),
  );
  const { from, to } = rotation;
  const before =
    from === null
      ? 'There was no key before.'
      : `The key before, ${from}, stays published, so that earlier evidence still holds.`;
  return { document: rotation, text: `Evidence is now signed with the key ${to}.\n${before}` };
}
