import { describe, expect, it } from 'vitest';
import { createProgress } from './progress.ts';

function open(isTTY: boolean, columns?: number) {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const stream = columns === undefined ? { isTTY, write } : { isTTY, columns, write };
  return { written, progress: createProgress(stream) };
}

describe('createProgress', () => {
  it('writes one line on a terminal, and takes it away at the end', () => {
    const { written, progress } = open(true, 10);

    progress.tell('a sentence that is longer than the terminal');
    progress.end();

    expect(written).toEqual(['\r\u001b[Ka sentenc', '\r\u001b[K']);
  });

  it('does not flicker: what comes too soon is left out', () => {
    const { written, progress } = open(true);

    for (let n = 0; n < 50; n += 1) progress.tell(`${n}`);

    expect(written).toEqual(['\r\u001b[K0']);
  });

  it('takes nothing away where nothing was told', () => {
    const { written, progress } = open(true);

    progress.end();

    expect(written).toEqual([]);
  });

  it('writes nothing where nobody is looking', () => {
    const { written, progress } = open(false);

    progress.tell('a sentence');
    progress.end();

    expect(written).toEqual([]);
  });
});
