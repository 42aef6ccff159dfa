import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refuseLink } from '../../../test/support/refuse-link.ts';
import { temporaryFolder } from '../../../test/support/temporary-database.ts';
import { nameFile } from './name-file.ts';

function makeDraft(): { readonly draft: string; readonly file: string } {
  const folder = temporaryFolder();
  const draft = join(folder, 'draft');
  writeFileSync(draft, 'complete');
  return { draft, file: join(folder, 'file') };
}

describe.each([
  ['with hard links', undefined],
  ['without hard links', refuseLink],
])('nameFile on a file system %s', (_kind, link) => {
  it('gives a draft its name', () => {
    const { draft, file } = makeDraft();

    nameFile(draft, file, link);

    expect(readFileSync(file, 'utf8')).toBe('complete');
  });

  it('throws EEXIST and replaces no file', () => {
    const { draft, file } = makeDraft();
    writeFileSync(file, 'other');

    expect(() => nameFile(draft, file, link)).toThrow(expect.objectContaining({ code: 'EEXIST' }));

    expect(readFileSync(file, 'utf8')).toBe('other');
    expect(existsSync(draft)).toBe(true);
  });
});

describe('nameFile', () => {
  it('throws any other error of a link', () => {
    const { draft, file } = makeDraft();

    expect(() => nameFile(`${draft}-missing`, file)).toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    );
  });
});
