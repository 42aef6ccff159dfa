import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VatfxClient } from '../../client/src/index.ts';

/** The methods in the first column of the table: `rates(date?)` is `rates`, `checks.create · get` are two. */
function listDocumented(): string[] {
  const [, table = ''] =
    /\| method \| result \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(
      readFileSync('client/README.md', 'utf8'),
    ) ?? [];
  return table.split('\n').flatMap((row) => {
    const [, cell = ''] = row.replaceAll('\\|', '').split(' | ', 1)[0]?.split(/^\| /) ?? [];
    return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => {
      const [, group, methods] = /^(\w+)\.(\w+(?: · \w+)*)$/.exec(code) ?? [];
      if (methods !== undefined) return methods.split(' · ').map((name) => `${group}.${name}`);
      return code.replace(/\(.*/, '');
    });
  });
}

it('the table of methods in client/README.md has all methods of the client, and no others', () => {
  const vatfx = new VatfxClient({ url: 'http://127.0.0.1', key: 'vfx_test' });
  const methodsOf = (object: object): string[] =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter(
      (name) => name !== 'constructor',
    );
  const inGroups = Object.entries(vatfx).flatMap(([group, methods]) =>
    methodsOf(methods as object).map((name) => `${group}.${name}`),
  );

  // A function of the package, which needs no client.
  const documented = new Set([...listDocumented()].filter((name) => name !== 'readVatNumber'));

  expect([...documented].sort()).toEqual([...methodsOf(vatfx), ...inGroups].sort());
});
