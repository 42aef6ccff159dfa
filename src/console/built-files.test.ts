import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFolder, type Assets } from '../platform/assets.ts';
import { readBuiltFiles } from './built-files.ts';

/** The assets of a program whose console has these files. */
function makeAssets(...names: readonly string[]): {
  readonly made: Assets;
  readonly folder: string;
} {
  const root = mkdtempSync(join(tmpdir(), 'vatfx-console-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'dist/web');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const name of names) {
    for (const ending of ['', '.br', '.gz'])
      writeFileSync(join(folder, name + ending), name + ending);
  }
  return { made: openFolder(root), folder };
}

describe('readBuiltFiles', () => {
  it('returns no files if the console was not built', () => {
    expect(readBuiltFiles(makeAssets().made).size).toBe(0);
    expect(readBuiltFiles(openFolder('/no/such/folder')).size).toBe(0);
  });

  it('returns each file in all codings, by its path', () => {
    const files = readBuiltFiles(makeAssets('index.html', 'assets/a-1.js').made);

    expect([...files.keys()].toSorted()).toEqual(['assets/a-1.js', 'index.html']);
    const script = files.get('assets/a-1.js');
    expect(script?.identity.type).toBe('text/javascript; charset=utf-8');
    expect(script?.identity.body.toString()).toBe('assets/a-1.js');
    expect(script?.br.body.toString()).toBe('assets/a-1.js.br');
    expect(script?.gzip.body.toString()).toBe('assets/a-1.js.gz');
  });

  it('leaves out files of unknown types', () => {
    expect(readBuiltFiles(makeAssets('index.html', 'assets/a.map').made).size).toBe(1);
  });

  it('throws for an incomplete build', () => {
    const { made, folder } = makeAssets('index.html');
    rmSync(join(folder, 'index.html.br'));

    expect(() => readBuiltFiles(made)).toThrow('index.html.br');
  });
});
