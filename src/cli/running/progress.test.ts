import { describe, expect, it } from 'vitest';
import { createProgress } from './progress.ts';

function openProgress(isTTY: boolean, columns?: number) {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const stream = columns === undefined ? { isTTY, write } : { isTTY, columns, write };
  return { written, progress: createProgress(stream) };
}

describe('createProgress', () => {
  it('writes one line on a terminal, and removes it at the end', () => {
    const { written, progress } = openProgress(true, 10);

    progress.show('a sentence that is longer than the terminal');
    progress[Symbol.dispose]();

    expect(written).toEqual(['\r\u001b[Ka sentenc', '\r\u001b[K']);
  });

  it('writes nothing if the stream is not a terminal', () => {
    const { written, progress } = openProgress(false);

    progress.show('a sentence');
    progress[Symbol.dispose]();

    expect(written).toEqual([]);
  });
});
