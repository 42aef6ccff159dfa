import { describe, expect, it } from 'vitest';
import { countOf } from '../../../../test/support/proof.ts';
import { flipBits } from '../../../../test/vat-check/support/flip-bits.ts';

const flips = countOf({ full: 10_000, perCommit: 2_000 });

describe('a change of one bit in evidence (rule K16)', () => {
  it('is found in the file, in each part that it encodes, and with published keys', async () => {
    expect(await flipBits(flips)).toEqual({ flips, unseen: [] });
  });
});
