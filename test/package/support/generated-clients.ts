import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const modules = resolve('node_modules');
const document = resolve('openapi.json');
/** Programs of the generators, with the TypeScript whose API they use. */
const withTypescript5 = {
  NODE_OPTIONS: `--import=${resolve('test/package/support/typescript-5.ts')}`,
};

/** The values that a program read from the service through a generated client. */
export type Read = {
  readonly standard: number | null;
  readonly currencies: readonly string[];
  readonly isValid: boolean;
  readonly subscription: string;
  readonly error: string;
};

export type Generator = {
  /** Makes the client in a folder. */
  readonly generate: (folder: string, url: string) => Promise<unknown>;
  /** A program of a caller that prints a `Read`. */
  readonly caller: string;
};

/** Generators of clients as their users call them. */
export const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    generate: async (folder) =>
      runGenerator(folder, 'openapi-typescript/bin/cli.js', [document, '-o', 'schema.ts']),
    caller: `
      import createClient from 'openapi-fetch';
      import type { paths } from './schema.ts';
      const client = createClient<paths>({
        baseUrl: url,
        headers,
        querySerializer: { array: { style: 'form', explode: false } },
      });
      const rates = await client.GET('/rates');
      const range = await client.GET('/fx/range', {
        params: { query: { from, to, currencies: ['USD', 'GBP'] } },
      });
      const check = await client.GET('/vatcheck/{country}/{vat}', {
        params: { path: { country: 'AT', vat: 'U99999901' } },
      });
      const made = await client.POST('/webhooks', { body });
      const missing = await client.GET('/rates/{date}', { params: { path: { date: '1999-01-01' } } });
      print(rates.data, range.data, check.data, made.data, missing.error);
    `,
  },
  '@hey-api/openapi-ts': {
    generate: async (folder) =>
      runGenerator(folder, '@hey-api/openapi-ts/bin/run.js', ['-i', document, '-o', 'client']),
    caller: `
      import { client } from './client/client.gen.ts';
      import * as api from './client/index.ts';
      client.setConfig({ baseUrl: url, auth: key });
      const rates = await api.getLatestRates();
      const range = await api.getFxRange({ query: { from, to, currencies: ['USD', 'GBP'] } });
      const check = await api.checkVatNumber({ path: { country: 'AT', vat: 'U99999901' } });
      const made = await api.createSubscription({ body });
      const missing = await api.getRates({ path: { date: '1999-01-01' } });
      print(rates.data, range.data, check.data, made.data, missing.error);
    `,
  },
  orval: {
    generate: async (folder, baseUrl) => {
      const output = { target: './client.ts', client: 'fetch', baseUrl };
      const config = { vatfx: { input: { target: document }, output } };
      writeFileSync(join(folder, 'orval.mjs'), `export default ${JSON.stringify(config)};`);
      return runGenerator(folder, 'orval/dist/bin/orval.mjs', ['--config', 'orval.mjs']);
    },
    caller: `
      import * as api from './client.ts';
      const rates = await api.getLatestRates({ headers });
      const range = await api.getFxRange({ from, to, currencies: ['USD', 'GBP'] }, { headers });
      const check = await api.checkVatNumber('AT', 'U99999901', { headers });
      const made = await api.createSubscription(body, { headers });
      const missing = await api.getRates('1999-01-01', { headers });
      if (rates.status !== 200 || range.status !== 200 || check.status !== 200) throw new Error();
      if (made.status !== 201 || missing.status !== 404) throw new Error();
      print(rates.data, range.data, check.data, made.data, missing.data);
    `,
  },
};

/** The beginning of every caller: what it sends, and what it prints of the typed answers. */
const start = `
  const [url = '', key = ''] = process.argv.slice(2);
  const headers = { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' };
  const [from, to] = ['2026-11-16', '2026-11-20'];
  const body = { url: 'https://198.100.0.1/', description: 'prices' };
  type Rates = { readonly rates: Readonly<Record<string, { readonly standard: number | null }>> };
  type Range = { readonly rates: Readonly<Record<string, readonly (number | null)[]>> };
  function print(
    rates: Rates | undefined,
    range: Range | undefined,
    check: { readonly valid: boolean } | undefined,
    made: { readonly id: string } | undefined,
    missing: { readonly error: string } | undefined,
  ): void {
    console.log(JSON.stringify({
      standard: rates?.rates['HU']?.standard,
      currencies: Object.keys(range?.rates ?? {}),
      isValid: check?.valid,
      subscription: made?.id,
      error: missing?.error,
    }));
  }
`;

/** Strict, as a careful caller sets it; the output runs without TypeScript. */
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['node'],
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  outDir: 'out',
  rootDir: '.',
};

/** Generates a client, compiles a caller with it, and runs the caller against a service. */
export async function readWith(
  { generate, caller }: Generator,
  service: { readonly folder: string; readonly url: string; readonly key: string },
): Promise<Read> {
  const { folder, url, key } = service;
  mkdirSync(folder, { recursive: true });
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['**/*.ts'], exclude: ['node_modules', 'out'] }),
  );
  await generate(folder, url);
  writeFileSync(join(folder, 'caller.ts'), start + caller);
  await runNode(folder, [join(modules, 'typescript/bin/tsc'), '-p', '.']);
  const { stdout } = await runNode(folder, ['out/caller.js', url, key]);
  return JSON.parse(stdout) as Read;
}

async function runGenerator(folder: string, program: string, args: string[]): Promise<unknown> {
  return runNode(folder, [join(modules, program), ...args], withTypescript5);
}

/** Throws with the output if the program fails: compilers print their problems to stdout. */
async function runNode(
  cwd: string,
  args: string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string }> {
  try {
    return await run(process.execPath, args, { cwd, env: { ...process.env, ...more } });
  } catch (cause) {
    const { stdout, stderr } = cause as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${args[0]} failed: ${stdout}${stderr}`, { cause });
  }
}
