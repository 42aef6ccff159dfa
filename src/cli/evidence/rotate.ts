import { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { EvidenceKeys } from '../../vat-check/stored/evidence/evidence-keys.ts';
import type { Io, Report } from '../report.ts';
import { operatorOf, type ReasonOption } from '../operator.ts';
import { withDatabase } from '../with-database.ts';

/** Ends the key that signs evidence and creates another; servers may run, and use it from their next signature on. */
export async function rotate(io: Io, options: ReasonOption): Promise<Report> {
  const by = operatorOf(io, options);
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
