import type { Evidence } from '../../../src/vat-check/stored/evidence/evidence.ts';
import type { PublishedKey } from '../../../src/vat-check/stored/evidence/published-keys.ts';
import { makeSigningKey } from '../../../src/vat-check/stored/evidence/signing-key.ts';
import { verifyEvidence } from '../../../src/vat-check/stored/evidence/verify.ts';
import { evidenceOf, fileOf, publish } from './made-evidence.ts';

/** The parts of evidence that encode bytes. A change of them is printed again in canonical form. */
const encodedParts = ['request', 'response', 'manifest', 'signature', 'publicKey'] as const;

/**
 * Verifies evidence `flips` times, each time with one other bit changed: in the bytes of the file, or in one of its
 * decoded parts. Half of the time the key is also published. Returns the places of changes that were not found.
 */
export async function flipBits(flips: number, of: Signed = makeSigned()) {
  const { evidence, published } = of;
  const file = fileOf(evidence);
  const targets = ['file', ...encodedParts] as const;
  const unseen: string[] = [];
  for (let flip = 0; flip < flips; flip += 1) {
    const target = targets[flip % targets.length] ?? 'file';
    const bytes = target === 'file' ? file : decode(evidence, target);
    // A step without a common divisor with the number of bits visits each of them before one again.
    const bit = (Math.trunc(flip / targets.length) * 7919) % (bytes.length * 8);
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const flipped = target === 'file' ? changed : fileOf(encode(evidence, target, changed));
    const keys = Math.trunc(flip / targets.length) % 2 === 0 ? published : undefined;
    const { faults } = await verifyEvidence(flipped, keys);
    if (faults.length === 0) unseen.push(`bit ${bit} of ${target}`);
  }
  return { flips, unseen };
}

/** Evidence with the list of keys that has its key. */
type Signed = { readonly evidence: Evidence; readonly published: readonly PublishedKey[] };

function makeSigned(): Signed {
  const key = makeSigningKey();
  return { evidence: evidenceOf({}, key), published: [publish(key)] };
}

type Part = (typeof encodedParts)[number];

function decode(evidence: Evidence, part: Part): Buffer {
  return part === 'publicKey'
    ? Buffer.from(evidence.publicKey.x, 'base64url')
    : Buffer.from(evidence[part], 'base64');
}

function encode(evidence: Evidence, part: Part, bytes: Buffer): Evidence {
  return part === 'publicKey'
    ? { ...evidence, publicKey: { ...evidence.publicKey, x: bytes.toString('base64url') } }
    : { ...evidence, [part]: bytes.toString('base64') };
}
