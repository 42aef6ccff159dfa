import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { signWebhook, testSecret } from '../../client/src/testing.ts';
import { unusedAddress } from '../support/loopback-server.ts';
import { shareService } from '../support/start-service.ts';
import { clientOf } from './support/client-of.ts';
import { packClient, run } from './support/packed-client.ts';

const runFile = promisify(execFile);
const bareWorld = fileURLToPath(new URL('support/bare-world.mjs', import.meta.url));
const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

let packed: ReturnType<typeof packClient>;
beforeAll(() => {
  packed = packClient();
});
afterAll(() => packed.dispose());

/** Each Node on the PATH, by version: the project's and the machine's. */
const nodes = new Map(
  (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => {
    const program = join(folder, 'node');
    try {
      return [[execFileSync(program, ['-v'], { encoding: 'utf8' }).trim(), program] as const];
    } catch {
      return [];
    }
  }),
);
const supported = [...nodes].filter(([version]) => Number(/\d+/.exec(version)?.[0]) >= 20);

/** Compiles `program.ts` of a folder strictly; returns what the compiler prints. */
function compile(folder: string, own: object): string {
  const lib = { target: 'es2022', lib: ['es2022', 'dom'], types: [] };
  const compilerOptions = { ...lib, strict: true, skipLibCheck: false, noEmit: true, ...own };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts'] }),
  );
  return run(folder, 'tsc', ['-p', '.']);
}

describe('the package', () => {
  it('has the expected files and no others, in less than 80 KB', () => {
    const folders = new Set(packed.files.map((file) => file.split('/')[0]));

    expect(folders).toEqual(
      new Set(['LICENSE', 'README.md', 'dist', 'examples', 'package.json', 'vectors']),
    );
    expect(packed.tarballBytes).toBeLessThan(80_000);
  });

  it('has no dependencies', () => {
    const { dependencies, peerDependencies, optionalDependencies, sideEffects } = JSON.parse(
      readFileSync(join(packed.installed, 'package.json'), 'utf8'),
    ) as Readonly<Record<string, unknown>>;

    expect([dependencies, peerDependencies, optionalDependencies]).toEqual(
      Array(3).fill(undefined),
    );
    expect(sideEffects).toBe(false);
  });

  it('imports only its own modules, and uses nothing that only Node has', () => {
    const texts = packed.files
      .filter((file) => /^dist\/.*\.js$/.test(file))
      .map((file) => readFileSync(join(packed.installed, file), 'utf8'));
    const imports = texts.flatMap((text) =>
      [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g)].map(
        ([, specifier]) => specifier,
      ),
    );
    const nodeOnly = texts.flatMap(
      (text) =>
        text
          .replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
          .match(/\b(?:Buffer|process|require|global|__dirname|setImmediate)\b/g) ?? [],
    );

    expect(imports.length).toBeGreaterThan(20);
    expect(imports.filter((specifier) => !/^\.\/[\w-]+\.js$/.test(specifier ?? ''))).toEqual([]);
    expect(nodeOnly).toEqual([]);
  });
});

describe('the types of the package', () => {
  const program = `
    import { RateLimitedError, readVatNumber, VatfxClient, verifyWebhook, type Decimal, type Taxation } from 'vatfx-client';
    import { signWebhook, testSecret } from 'vatfx-client/testing';
    declare const process: { readonly env: { readonly [name: string]: string | undefined } };
    const client = new VatfxClient({ url: process.env.URL, key: process.env.KEY });
    export const checked: Promise<boolean> = client.checkVat('DE999999901', { fresh: true }).then(({ valid }) => valid);
    export const country: string | undefined = readVatNumber('ATU99999901')?.countryCode;
    export const standard: Decimal | null | undefined = (await client.rates()).rates['AT']?.standard;
    export const headers = await signWebhook('{}', testSecret);
    const event = await verifyWebhook('{}', headers, [testSecret], { now: 0 });
    export const date: string | null = event.type === 'rates.changed' ? event.snapshotDate : null;
    export const late = (error: unknown): number | undefined =>
      error instanceof RateLimitedError ? error.retryAfterSeconds : undefined;
    export const converted = client.convert('1', 'USD', 'EUR', { rule: 'oss', period: '2023-Q4', decimals: 4 });
    // @ts-expect-error A rule needs its period.
    void client.convert('1', 'USD', 'EUR', { rule: 'oss' });
    // @ts-expect-error A rule chooses the date.
    void client.convert('1', 'USD', 'EUR', { rule: 'oss', period: '2023-Q4', date: '2024-01-02' });
    // @ts-expect-error A currency is not a number.
    void client.convert('1', 'EUR', 2);
    const answer = await client.rateOf({ country: 'ES', cn: '1509', on: '2026-11-20' });
    export const sure: Decimal | null | undefined = answer.kind === 'one' ? answer.rate : undefined;
    export const open: readonly Decimal[] = answer.kind === 'depends' ? answer.rates : [];
    export const missing: number = answer.kind === 'none' ? answer.uncoded : 0;
    // @ts-expect-error The rate can be read only where the kind says that there is one.
    void answer.rate;
    // @ts-expect-error The same for the rates under conditions.
    void answer.rates;
    // @ts-expect-error The standard rate is no answer without a look at the kind.
    void answer.standard;
    // @ts-expect-error A question has a code or a category.
    void client.rateOf({ country: 'ES' });
    // @ts-expect-error It has only one of them.
    void client.rateOf({ country: 'ES', cn: '1509', category: 'FOODSTUFFS' });
    export const law: Taxation[] = (await client.errata({ kind: 'goods' })).errata.map((one) => one.law);
    // @ts-expect-error Without a kind, errata are those of national rates.
    void (await client.errata({ country: 'ES' })).errata[0]?.condition;
    // @ts-expect-error Answers are read-only.
    (await client.fx()).rates['USD'] = '1';
  `;

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('resolve with module %s and resolution %s', (module, moduleResolution) => {
    const file = join(packed.project, 'program.ts');
    writeFileSync(file, program);
    const own = { module, moduleResolution, exactOptionalPropertyTypes: true };

    expect(compile(packed.project, own)).toBe('');
  });
});

describe('the package in CommonJS', () => {
  /** A project without `"type": "module"` that has the package installed. */
  const makeProject = (file: string, text: string): string => {
    const folder = mkdtempSync(join(packed.project, 'commonjs-'));
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    writeFileSync(join(folder, file), text);
    return folder;
  };
  const use = `new VatfxClient({ url: 'http://127.0.0.1:8080', key: 'vfx_x' }).webhooks`;

  it.each(supported)('is loaded with require and with import() by Node %s', (_version, node) => {
    const folder = makeProject(
      'program.js',
      `const { VatfxClient } = require('vatfx-client');
      const { testSecret } = require('vatfx-client/testing');
      import('vatfx-client').then((same) =>
        console.log(typeof ${use}, testSecret.slice(0, 6), same.VatfxClient === VatfxClient));`,
    );

    const printed = execFileSync(node, [join(folder, 'program.js')], { encoding: 'utf8' });

    expect(printed).toBe('object whsec_ true\n');
  });
});

describe('the built client', () => {
  it('runs with only those globals that every runtime has', async () => {
    const { stdout } = await runFile(process.execPath, [
      '--experimental-vm-modules',
      '--no-warnings',
      bareWorld,
      join(packed.installed, 'dist'),
      service().apiUrl,
      service().key,
    ]);

    expect(JSON.parse(stdout)).toEqual([
      '20',
      '100.00',
      true,
      'NotFoundError 2026-11-13',
      'given up',
      'webhook.test',
    ]);
  });

  it.each(supported)('runs the example of 20 lines on Node %s', async (_version, node) => {
    const example = readFileSync(join(packed.installed, 'examples', 'shop.mjs'), 'utf8');
    const file = join(packed.project, 'shop.mjs');
    writeFileSync(file, example);
    const receiver = await unusedAddress();
    const shop = spawn(node, [file], {
      env: {
        URL: service().apiUrl,
        KEY: service().key,
        WEBHOOK_SECRET: testSecret,
        PORT: new URL(receiver).port,
      },
    });
    onTestFinished(() => void shop.kill());
    let printed = '';
    shop.stdout.on('data', (chunk) => (printed += String(chunk)));
    shop.stderr.on('data', (chunk) => (printed += String(chunk)));
    await expect.poll(() => printed).toContain('waiting for webhooks\n');

    const row = '{"country":"HU","field":"standard","old":27,"new":25.50}';
    const body = `{"type":"rates.changed","changes":[${row}],"count":1}`;
    const headers = await signWebhook(body, testSecret);
    const forged = { ...headers, 'webhook-id': 'evt_forged' };
    const taken = await fetch(receiver, { method: 'POST', headers, body });
    const refused = await fetch(receiver, { method: 'POST', headers: forged, body });

    expect([taken.status, refused.status]).toEqual([204, 401]);
    await expect.poll(() => printed).toContain('no signature matches a given secret');
    expect(example.split('\n').filter((line) => /^[^/]/.test(line)).length).toBeLessThanOrEqual(20);
    expect(printed).toMatch(
      /^Austria: 20 %, reduced 10 % and 13 %\n19\.90 EUR = \d+\.\d\d USD on 2026-11-20\nGR 100 is registered: true, John Doe\n/,
    );
    expect(printed).toContain('HU standard: 27 → 25.50\n');
  });

  it('runs the example that reads events, which continues when it is started again', async () => {
    const example = readFileSync(join(packed.installed, 'examples', 'follow.mjs'), 'utf8');
    const file = join(packed.project, 'follow.mjs');
    writeFileSync(file, example);
    const vatfx = clientOf(service());
    const env = {
      URL: service().apiUrl,
      KEY: service().key,
      PLACE: join(packed.project, 'place.txt'),
    };
    const seen: string[] = [];
    for (const reference of ['c 1', 'c 2']) {
      await vatfx.checks.create({ countryCode: 'AT', vatNumber: 'U99999901', reference });
      const follower = spawn(process.execPath, [file], { env });
      let printed = '';
      follower.stdout.on('data', (chunk) => (printed += String(chunk)));
      await expect.poll(() => printed).toMatch(/^evt_\w+ vat\.checked\n$/);
      // The cursor of the page is stored after that of the event.
      await expect.poll(() => existsSync(env.PLACE)).toBe(true);
      follower.kill();
      await once(follower, 'close');
      seen.push(printed);
    }

    expect(new Set(seen).size).toBe(2);
    expect(example.split('\n').filter((line) => /^[^/]/.test(line)).length).toBeLessThanOrEqual(22);
  });
});
