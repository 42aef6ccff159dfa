import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METHODS, STATUS_CODES } from './node-http.ts';

/** An import that loads the module, unlike an import of its types. */
const importOfValues = /^import (?!type\b)[^;]*from 'node:http';/m;

describe('node-http', () => {
  it('has the lists of node:http', () => {
    expect(METHODS).toContain('GET');
    expect(STATUS_CODES[404]).toBe('Not Found');
  });

  it('is used instead of node:http in every module that serve loads', () => {
    const files = globSync('src/**/*.ts').filter(
      (file) => !/\.test\.ts$|^src\/sandbox\//.test(file),
    );
    const importing = files.filter((file) => importOfValues.test(readFileSync(file, 'utf8')));

    expect(files.length).toBeGreaterThan(300);
    expect(importing).toEqual([]);
  });
});
