import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readBuiltFiles } from './built-files.ts';

function makeFolder(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  for (const name of names) {
    for (const ending of ['', '.br', '.gz'])
      writeFileSync(join(folder, name + ending), name + ending);
  }
  return folder;
}

describe('readBuiltFiles', () => {
  it('returns no files if the console was not built', () => {
    expect(readBuiltFiles(makeFolder()).size).toBe(0);
    expect(readBuiltFiles('/no/such/folder').size).toBe(0);
  });

  it('returns each file in all codings, by its path', () => {
    const files = readBuiltFiles(makeFolder('index.html', 'assets/a-1.js'));

    expect([...files.keys()].toSorted()).toEqual(['assets/a-1.js', 'index.html']);
    const script = files.get('assets/a-1.js');
    expect(script?.identity.type).toBe('text/javascript; charset=utf-8');
    expect(script?.identity.body.toString()).toBe('assets/a-1.js');
    expect(script?.br.body.toString()).toBe('assets/a-1.js.br');
    expect(script?.gzip.body.toString()).toBe('assets/a-1.js.gz');
  });

  it('leaves out files of unknown types', () => {
    expect(readBuiltFiles(makeFolder('index.html', 'assets/a.map')).size).toBe(1);
  });

  it('throws for an incomplete build', () => {
    const folder = makeFolder('index.html');
    rmSync(join(folder, 'index.html.br'));

    expect(() => readBuiltFiles(folder)).toThrow('index.html.br');
  });
});
