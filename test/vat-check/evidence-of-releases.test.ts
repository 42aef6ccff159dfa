import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { countOf, reportFigure } from '../support/proof.ts';

const folder = join(import.meta.dirname, '../releases');
const flips = countOf({ full: 2_000, perCommit: 200 });

/** The evidence that the program of a release made, and the keys that it published. */
function readRelease(version: string) {
  const read = (name: string) => readFileSync(join(folder, version, 'evidence', name));
  const names = readdirSync(join(folder, version, 'evidence')).filter((name) =>
    name.startsWith('vc_'),
  );
  const files = names.map((name) => ({ name, bytes: read(name) }));
  return { files, published: readPublishedKeys(read('keys.json')) };
}

describe.each(['0.2.0'])('evidence of release %s (rule K16, reliability R39)', (version) => {
  const { files, published } = readRelease(version);

  it('holds, and is found forged after each change of one bit', async () => {
    const unseen: string[] = [];
    for (const { name, bytes } of files) {
      const { faults, isKeyPublished, isReformatted } = await verifyEvidence(bytes, published);
      expect({ name, faults, isKeyPublished, isReformatted }).toEqual({
        name,
        faults: [],
        isKeyPublished: true,
        isReformatted: false,
      });
      for (let flip = 0; flip < flips; flip += 1) {
        // A step without a common divisor with the number of bits visits each of them before one again.
        const bit = (flip * 7919) % (bytes.length * 8);
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        if ((await verifyEvidence(changed, published)).faults.length === 0)
          unseen.push(`bit ${bit} of ${name}`);
      }
    }

    reportFigure(
      'R39',
      `${files.length} files of release ${version} hold; ${files.length * flips} changes of one bit in them: ${unseen.length} not found`,
    );
    expect(files.length).toBeGreaterThan(5);
    expect(unseen).toEqual([]);
  }, 600_000);
});
