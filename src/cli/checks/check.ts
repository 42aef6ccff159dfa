import { readRequesterText } from '../../vat-check/requester.ts';
import { findCheck } from '../../vat-check/stored/check-store.ts';
import { operatorId } from '../../vat-check/stored/owner.ts';
import { printCheck } from '../../vat-check/stored/print-check.ts';
import { type Io, type Report, UsageError } from '../report.ts';
import { withCore } from '../with-core.ts';
import { type CheckOptions, readCheckArguments } from './arguments.ts';
import { describeCheck, describeNoAnswer } from './describe.ts';
import type { Core } from '../../composition/core.ts';
import { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { createStored } from '../../composition/stored-checks.ts';
import type { StoredChecks } from '../../vat-check/stored/create-stored-checks.ts';
import { createCheckEvidence } from '../../vat-check/stored/evidence/check-evidence.ts';

/** Stores a check of one number, makes its first attempt, and reports the answer; exit code 1 if there is none. */
export async function checkNumber(
  io: Io,
  number: string | undefined,
  options: CheckOptions,
): Promise<Report> {
  if (number === undefined) {
    throw new UsageError('expected a VAT number such as DE811115368, or --csv and --out');
  }
  const check = await withCore(io, async (core, signal) => {
    const request = readCheckArguments(
      number,
      options,
      readRequesterText(core.config.viesRequester),
    );
    const stored = createStoredOfCommand(core);
    signal.addEventListener('abort', () => core.vat.cutOff());
    const creation = await stored.create({ keyId: operatorId, request, idempotency: undefined });
    if (creation.kind === 'conflict')
      throw new Error('a check without an idempotency key conflicts');
    // An attempt may take longer than the wait: VIES_TIMEOUT_MS may be longer.
    await stored.stop();
    const { id } = creation.check;
    return printCheck((await findCheck(core.db, operatorId, id)) ?? creation.check);
  });
  return {
    document: check,
    text: describeCheck(check, operatorId),
    failure: describeNoAnswer(check),
  };
}

/** Creates stored checks for a command; the evidence of those that it ends is signed as by a server. */
export function createStoredOfCommand(core: Core): StoredChecks {
  const secretKeys = SecretKeys.load(core.config);
  return createStored(core, createCheckEvidence({ ...core, secretKeys }));
}
