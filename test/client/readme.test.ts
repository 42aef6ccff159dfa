import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { VatfxClient } from '../../client/src/index.ts';
import { shareReader } from '../docs/support/reader.ts';
import { findMissing } from '../docs/support/shown-output.ts';

const readme = readFileSync('client/README.md', 'utf8');
const shownMs = Date.parse('2026-11-20T20:00:00Z');
/** The demo on the day whose results the README shows. */
const reader = shareReader({ now: () => shownMs });

/** The methods in the first column of the table: `rates(date?)` is `rates`, `checks.create · get` are two. */
function listDocumented(): string[] {
  const [, table = ''] = /\| method \| result \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(readme) ?? [];
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

it('the program in client/README.md that calls rateOf prints what is shown for one, depends and none', async () => {
  const [, program = '', shown = ''] =
    /```js\n([^`]*vatfx\.rateOf\([^]*?)\n```\n\n```text\n([^]*?)\n```/.exec(readme) ?? [];
  const printed: string[] = [];
  const console = { log: (line: string) => printed.push(line) };

  await runInNewContext(`(async () => {${program}})()`, { vatfx: reader().client, console });

  expect(printed.map((text) => text.split(/[ :,]/)[0])).toEqual([
    'One',
    'Depends',
    'Depends',
    'TEDB',
  ]);
  expect(findMissing(shown, printed.join('\n'))).toEqual([]);
});
