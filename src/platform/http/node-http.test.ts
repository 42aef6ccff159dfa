import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** An import that loads the module, unlike an import of its types. */
const importOfValues = /^import (?!type\b)[^;]*from 'node:http';/m;

describe('node-http', () => {
  it('is used instead of node:http in every module that serve loads', () => {
    const files = globSync('src/**/*.ts').filter(
      (file) => !/\.test\.ts$|^src\/sandbox\//.test(file),
    );
    const importing = files.filter((file) => importOfValues.test(readFileSync(file, 'utf8')));

    expect(files.length).toBeGreaterThan(300);
    expect(importing).toEqual([]);
  });
});
