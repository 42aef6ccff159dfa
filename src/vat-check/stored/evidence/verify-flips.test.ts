import { describe, expect, it } from 'vitest';
import { countOf, reportFigure } from '../../../../test/support/proof.ts';
import { flipBits } from '../../../../test/vat-check/support/flip-bits.ts';

const flips = countOf({ full: 10_000, perCommit: 600 });

describe('a change of one bit in evidence (rule K16, reliability R30)', () => {
  it('is found in the file, in each part that it encodes, and with published keys', async () => {
    const found = await flipBits(flips);

    reportFigure(
      'R30',
      `${flips} changes of one bit in made evidence: in the file, in the bytes sent and received, the manifest, ` +
        `the signature and the key; ${found.unseen.length} not found`,
    );
    expect(found).toEqual({ flips, unseen: [] });
  }, 600_000);
});
