import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releaseBefore, shareTarball } from '../journeys/support/release-program.ts';
import { packClient, run } from './support/packed-client.ts';

const earlier = shareTarball(`vatfx-client-${releaseBefore}`);
let present: ReturnType<typeof packClient>;
beforeAll(() => {
  present = packClient();
});
afterAll(() => present.dispose());

/** A package in which a program finds the client. */
const packages = { earlier: () => earlier(), present: () => present.installed };
const program = readFileSync(
  fileURLToPath(new URL('support/program-of-0.3.ts', import.meta.url)),
  'utf8',
);

/** Compiles a program strictly; returns what the compiler prints. */
function compile(text: string): string {
  const paths = Object.fromEntries(
    Object.entries(packages).map(([name, folder]) => [`${name}/*`, [`${folder()}/dist/*.d.ts`]]),
  );
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const lib = { target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] };
  const compilerOptions = { ...strict, ...lib, module: 'nodenext', noEmit: true, paths };
  writeFileSync(join(present.project, 'program.ts'), text);
  writeFileSync(
    join(present.project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts'] }),
  );
  return run(present.project, 'tsc', ['-p', '.']);
}

/** Gives the types of the present client the one registry of the earlier one until it is disposed: the changelog names the others. */
function withFormerRegistries(): Disposable {
  const file = join(present.installed, 'dist/api-types.d.ts');
  const types = readFileSync(file, 'utf8');
  const former = types.replaceAll(/registry: (?:'vies'|"vies") \| [^;]*;/g, "registry: 'vies';");
  if (former === types) throw new Error('the types have no registry of several');
  writeFileSync(file, former);
  return { [Symbol.dispose]: () => writeFileSync(file, types) };
}

/** How a program writes the names that a package exports, and the calls of its methods: `vatfx.Watch`, `.put(`. */
function listUses(folder: string): readonly string[] {
  const entries = ['index', 'testing'].map((name) => join(folder, `dist/${name}.d.ts`));
  const options = { module: ts.ModuleKind.NodeNext, noLib: true, types: [] };
  const compiled = ts.createProgram(entries, options);
  const checker = compiled.getTypeChecker();
  const [index = [], testing = []] = entries.map((entry) => {
    const symbol = checker.getSymbolAtLocation(compiled.getSourceFile(entry) as ts.SourceFile);
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol);
  });
  const client = index.find(({ name }) => name === 'VatfxClient');
  const own = client && checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(client));
  const fields = own?.getProperties() ?? [];
  const ofFields = fields.flatMap((field) => checker.getTypeOfSymbol(field).getProperties());
  const methods = [...fields, ...ofFields].filter(
    ({ valueDeclaration: at }) => at !== undefined && ts.isMethodDeclaration(at),
  );
  return [
    ...index.map(({ name }) => `vatfx.${name}`),
    ...testing.map(({ name }) => name),
    ...methods.map(({ name }) => `.${name}(`),
  ];
}

describe(`a program for the client of version ${releaseBefore} (docs/support.md)`, () => {
  it('uses every name and method of that client', () => {
    const uses = listUses(earlier());
    const written = new Set(program.match(/vatfx\.\w+|\.\w+\(|\w+/g));

    expect(uses).toEqual(
      expect.arrayContaining(['vatfx.Decimal', 'signWebhook', '.rates(', '.replayDelivery(']),
    );
    expect(uses.filter((use) => !written.has(use))).toEqual([]);
  });

  it.each(['earlier', 'present'])('compiles with the client of %s', (name) => {
    expect(compile(program.replaceAll(/(?:\.\.\/)+client\/src\/(\w+)\.ts/g, `${name}/$1`))).toBe(
      '',
    );
  });

  it('may give every method the same, and gets the same, apart from what the changelog names', () => {
    using _former = withFormerRegistries();
    // `ambiguous` of `categories` may be null. `errata` is generic: only the program can call it.
    const comparison = `
      import type * as Earlier from 'earlier/index';
      import type * as Present from 'present/index';
      type Called<F> = F extends (...given: infer Given) => infer Got ? (...given: Given) => Got : never;
      type Methods<T> = { [M in keyof T as T[M] extends (...given: never[]) => unknown ? M : never]: Called<T[M]> };
      type Compared<C extends { checks: object; watches: object; webhooks: object }> = {
        client: Omit<Methods<C>, 'categories' | 'errata'>;
        checks: Methods<C['checks']>;
        watches: Methods<C['watches']>;
        webhooks: Methods<C['webhooks']>;
      };
      export const compare = (present: Compared<Present.VatfxClient>): Compared<Earlier.VatfxClient> => present;
      export const functions = (present: Methods<typeof Present>): Methods<typeof Earlier> => present;
      type Rows<T> = Omit<T, 'ambiguous'>;
      export const rows = (present: Rows<Present.CategoryRows>): Rows<Earlier.CategoryRows> => present;
      export const query = (earlier: Earlier.CategoryQuery): Present.CategoryQuery => earlier;
    `;

    expect(compile(comparison)).toBe('');
  });
});
