import { describe, expect, it } from 'vitest';
import { formatTable } from './table.ts';

const rows = [
  { id: 'run_1', detail: 'the answer has more than 10000000 bytes' },
  { id: 'run_2', detail: null },
];

describe('formatTable', () => {
  it('prints columns under their titles, with - for absent values', () => {
    expect(formatTable({ rows, empty: '' }, undefined)).toBe(
      'id     detail\nrun_1  the answer has more than 10000000 bytes\nrun_2  -',
    );
  });

  it('narrows the widest column on a terminal, and breaks after blanks', () => {
    expect(formatTable({ rows, empty: '' }, 30)).toBe(
      [
        'id     detail',
        'run_1  the answer has more',
        '       than 10000000 bytes',
        'run_2  -',
      ].join('\n'),
    );
  });

  it('replaces control characters in cells', () => {
    expect(formatTable({ rows: [{ url: 'a\u001b[2Jb\nc' }], empty: '' }, undefined)).toBe(
      'url\na [2Jb c',
    );
  });

  it('prints the text for an empty list', () => {
    expect(formatTable({ rows: [], empty: 'Nothing is held.' }, 80)).toBe('Nothing is held.');
  });
});
