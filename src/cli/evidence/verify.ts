import { readFileSync, statSync } from 'node:fs';
import { fileBytesMax } from '../../vat-check/stored/evidence/evidence-file.ts';
import {
  type PublishedKey,
  readPublishedKeys,
} from '../../vat-check/stored/evidence/published-keys.ts';
import { verifyEvidence } from '../../vat-check/stored/evidence/verify.ts';
import { escapeControls } from '../described-lines.ts';
import { CommandFailure, type Report, sentenceOf } from '../report.ts';
import { describeEvidence, toDocument } from './describe.ts';

/**
 * Verifies the evidence of one check from its file alone: without settings, database and network (rule K16).
 *
 * Reports in any case what the bytes in the file say; the exit code is 1 if there is a fault.
 */
export async function verify(file: string, options: { readonly keys?: string }): Promise<Report> {
  const published = options.keys === undefined ? undefined : readKeys(options.keys);
  const verification = await verifyEvidence(readSmall(file), published);
  const { faults } = verification;
  return {
    document: toDocument(verification, published !== undefined),
    text: describeEvidence(verification, published !== undefined),
    failure:
      faults.length === 0
        ? undefined
        : [
            'The evidence does NOT hold:',
            ...faults.map((fault) => `  - ${escapeControls(fault)}`),
          ].join('\n'),
  };
}

function readKeys(file: string): readonly PublishedKey[] {
  try {
    return readPublishedKeys(readSmall(file));
  } catch (error) {
    throw new CommandFailure(`${file}: ${sentenceOf(error)}; save GET /evidence/keys in it`);
  }
}

function readSmall(file: string): Buffer {
  try {
    if (statSync(file).size <= fileBytesMax) return readFileSync(file);
  } catch (cause) {
    throw new CommandFailure(`${file} cannot be read: ${sentenceOf(cause)}`);
  }
  throw new CommandFailure(`${file} is larger than the evidence of a check, which has some 100 KB`);
}
