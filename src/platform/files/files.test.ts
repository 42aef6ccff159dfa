import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-database.ts';
import { createFolder } from './files.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('createFolder', () => {
  it('creates a folder and those above it for this user alone, and leaves one that is there', () => {
    const folder = join(temporaryFolder(), 'a', 'b');

    createFolder(folder);
    createFolder(folder);

    expect([modeOf(folder), modeOf(dirname(folder))]).toEqual([0o700, 0o700]);
  });

  it('fails if a file has the name', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');

    expect(() => createFolder(file)).toThrow('EEXIST');
    expect(() => createFolder(join(file, 'below'))).toThrow('ENOTDIR');
  });

  it.runIf(existsSync('/proc/self'))('fails below a folder that refuses new ones', () => {
    expect(() => createFolder('/proc/new/below')).toThrow('ENOENT');
  });
});
