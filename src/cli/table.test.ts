import { describe, expect, it } from 'vitest';
import { formatTable } from './table.ts';

const titles = ['id', 'detail'];
const rows = [
  ['run_1', 'the answer has more than 10000000 bytes'],
  ['run_2', null],
];

describe('formatTable', () => {
  it('puts columns beside each other under their titles, - for what there is not', () => {
    expect(formatTable({ titles, rows, empty: '' }, undefined)).toBe(
      'id     detail\nrun_1  the answer has more than 10000000 bytes\nrun_2  -',
    );
  });

  it('squeezes the widest column on a terminal, and breaks after blanks', () => {
    expect(formatTable({ titles, rows, empty: '' }, 30)).toBe(
      [
        'id     detail',
        'run_1  the answer has more',
        '       than 10000000 bytes',
        'run_2  -',
      ].join('\n'),
    );
  });

  it('breaks what has no blanks, and leaves nothing out', () => {
    const table = formatTable({ titles: ['a'], rows: [['x'.repeat(25)]], empty: '' }, 10);

    expect(table).toBe(`a\n${'x'.repeat(10)}\n${'x'.repeat(10)}\n${'x'.repeat(5)}`);
  });

  it('keeps to the width wherever that can be done', () => {
    const wide = [['a'.repeat(50), 'b'.repeat(9), 'c d '.repeat(30)]];

    const lines = formatTable({ titles: ['one', 'two', 'three'], rows: wide, empty: '' }, 60).split(
      '\n',
    );

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it('ends on a terminal that is too narrow for anything', () => {
    expect(formatTable({ titles, rows, empty: '' }, 1).split('\n')[0]).toBe('id     detail');
  });

  it('lets no cell move the cursor or break a row', () => {
    expect(formatTable({ titles: ['url'], rows: [['a\u001b[2Jb\nc']], empty: '' }, undefined)).toBe(
      'url\na [2Jb c',
    );
  });

  it('says instead that there is nothing', () => {
    expect(formatTable({ titles, rows: [], empty: 'Nothing is held.' }, 80)).toBe(
      'Nothing is held.',
    );
  });
});
