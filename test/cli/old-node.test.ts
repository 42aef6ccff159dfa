import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-database.ts';

/** Makes a Node report an earlier version of itself. */
const asNode20 = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })",
)}`;

/** A folder with the program, as it is in the package, or with its sources as in a checkout. */
function placeProgram(isCheckout: boolean): string {
  const folder = join(temporaryFolder(), 'vatfx');
  cpSync('bin', join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  if (isCheckout) {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'main.ts'), '');
  }
  return join(folder, 'bin', 'vatfx.js');
}

describe('on an earlier Node', () => {
  it.each([
    ['the installed package names the package of Node', false, '`npm i node@26`', 'npm ci'],
    ['a checkout names npm ci', true, '`npm ci`', 'npm i '],
  ])('%s', (_what, isCheckout, told, untold) => {
    const program = placeProgram(isCheckout);

    const ended = spawnSync(process.execPath, ['--import', asNode20, program, 'serve'], {
      encoding: 'utf8',
    });

    expect({ status: ended.status, stdout: ended.stdout }).toEqual({ status: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^vatfx needs Node 26 or later, and this is Node 20\.19\.0\.\n/);
    expect(ended.stderr).toContain(told);
    expect(ended.stderr).not.toContain(untold);
  });
});
