import { describe, expect, it } from 'vitest';
import {
  breakText,
  type BrokenBehaviour,
  brokenBehaviours,
  listOutdated,
} from '../../prove/broken-behaviours.ts';

const behaviour: BrokenBehaviour = {
  seen: 'An erratum does not hold on its last day.',
  file: 'src/rates/errata/erratum.ts',
  text: 'date <= to',
  becomes: 'date < to',
  foundBy: 'test/api/errata.test.ts',
};

describe('the broken behaviours (a fast check; `node prove/broken.ts` tries them)', () => {
  it('are at least 60, each of one part of a line that is there, and a test file that exists', () => {
    expect(brokenBehaviours.length).toBeGreaterThanOrEqual(60);
    expect(listOutdated('.')).toEqual([]);
    const changed = brokenBehaviours.map(({ file, text }) => `${file} ${text}`);
    expect(new Set(changed).size).toBe(brokenBehaviours.length);
  });

  it.each([
    ['gone', 'no such text'],
    ['ambiguous', 'const'],
    ['on several lines', '\n'],
  ])('are outdated if the text is %s', (_, text) => {
    expect(listOutdated('.', [{ ...behaviour, text }])).toHaveLength(1);
    expect(() => breakText('const a = 1;\nconst b = 2;\n', { ...behaviour, text })).toThrow(
      `${behaviour.file} no longer has this exactly once: ${text}`,
    );
  });

  it('are outdated if their test file is gone', () => {
    const moved = { ...behaviour, foundBy: 'test/api/none.test.ts' };

    expect(listOutdated('.', [moved])).toEqual([expect.stringContaining('test/api/none.test.ts')]);
  });
});
