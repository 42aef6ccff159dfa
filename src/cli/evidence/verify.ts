import { fileBytesMax } from '../../vat-check/stored/evidence/evidence-file.ts';
import {
  type PublishedKey,
  readPublishedKeys,
} from '../../vat-check/stored/evidence/published-keys.ts';
import { type Verification, verifyEvidence } from '../../vat-check/stored/evidence/verify.ts';
import { escapeControls } from '../checks/described-lines.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, type Report, sentenceOf } from '../command/report.ts';
import { nameOfInput, readInput, refuseTwoInputs } from '../running/standard-streams.ts';
import { describeEvidence, toDocument } from './describe.ts';

/** The exit code if nothing is wrong with a file, and its key was not compared with the published ones. */
const notProvenCode = 3;
const notProven =
  'Nothing is proven yet: anyone can sign a file with a key of their own. Compare the fingerprint with each kid of\n' +
  'GET /evidence/keys of the service, or save its response as keys.json and verify again with --keys keys.json.';

/**
 * Verifies the evidence of one check from its file alone: without settings, database and network (rule K16).
 *
 * Reports in any case what the bytes in the file say. The exit code is 1 if there is a fault, and 3 if there is none but
 * the published keys were not given.
 */
export async function verify(io: Io, file: string, keys: string | undefined): Promise<Report> {
  refuseTwoInputs(file, keys);
  const published = keys === undefined ? undefined : await readKeys(io, keys);
  const verification = await verifyEvidence(await readInput(io, file, size), published);
  return {
    document: toDocument(verification),
    text: describeEvidence(verification),
    ...describeFailure(verification),
  };
}

function describeFailure({
  faults,
  isKeyPublished,
}: Verification): Pick<Report, 'failure' | 'failureCode'> {
  if (faults.length > 0) {
    const lines = faults.map((fault) => `  - ${escapeControls(fault)}`);
    return { failure: ['The evidence does NOT hold:', ...lines].join('\n') };
  }
  return isKeyPublished === true ? {} : { failure: notProven, failureCode: notProvenCode };
}

const size = {
  bytesMax: fileBytesMax,
  tooLarge: 'the evidence of a check, which has some 100 KB',
} as const;

async function readKeys(io: Io, file: string): Promise<readonly PublishedKey[]> {
  const bytes = await readInput(io, file, size);
  try {
    return readPublishedKeys(bytes);
  } catch (error) {
    throw new CommandFailure(
      `${nameOfInput(file)}: ${sentenceOf(error)}; save GET /evidence/keys in it`,
    );
  }
}
