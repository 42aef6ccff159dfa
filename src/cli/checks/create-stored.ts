import type { Core } from '../../composition/core.ts';
import { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { createStored } from '../../composition/stored-checks.ts';
import type { StoredChecks } from '../../vat-check/stored/create-stored-checks.ts';
import { createCheckEvidence } from '../../vat-check/stored/evidence/check-evidence.ts';

/** Creates stored checks for a command; the evidence of those that it ends is signed as by a server. */
export function createStoredOfCommand(core: Core): StoredChecks {
  const secretKeys = SecretKeys.load(core.config);
  return createStored(core, createCheckEvidence({ ...core, secretKeys }));
}
