import { describe, expect, it } from 'vitest';
import { printCommand, printJson, wrapLines } from './terminal-text.ts';

describe('printCommand', () => {
  it('breaks a long command with backslashes, so that its lines can be copied together', () => {
    const url = `http://localhost/${'x'.repeat(90)}`;

    expect(printCommand(['curl', '-s', url], '  ')).toBe(`  curl \\\n    -s \\\n    ${url}`);
  });
});

describe('printJson', () => {
  it('breaks a response after commas that are not in a text', () => {
    const json = JSON.stringify({ a: `1,${'x'.repeat(70)}`, b: 'y'.repeat(20), c: 3 });

    const printed = printJson(json, '  ', 9);

    expect(printed.split('\n')).toEqual([
      `  {"a":"1,${'x'.repeat(70)}",`,
      `   "b":"${'y'.repeat(20)}","c":3}`,
    ]);
  });

  it('shortens a long text, and not in the middle of an escape', () => {
    const text = `${'x'.repeat(75)}"${'x'.repeat(30)}`;

    expect(printJson(JSON.stringify([text]), '', 9)).toBe(`["${'x'.repeat(75)}…"]`);
  });
});

describe('printJson with lines of the end', () => {
  it('leaves out lines before them', () => {
    const json = JSON.stringify(['a', 'b', 'c', 'd'].map((letter) => letter.repeat(70)));

    expect(printJson(json, '', 2, 1).split('\n')).toEqual([
      `["${'a'.repeat(70)}", …`,
      ` "${'d'.repeat(70)}"]`,
    ]);
  });
});

describe('wrapLines', () => {
  it('breaks a line between two words, and indents its rest', () => {
    const line = `${'word '.repeat(19)}and more`;

    expect(wrapLines(line, '  ')).toBe(`  ${'word '.repeat(19)}and\n    more`);
  });
});
