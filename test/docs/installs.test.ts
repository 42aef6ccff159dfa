import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import clientManifest from '../../client/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };

/**
 * Files that tell people or machines what to run. The packages are not on the npm registry, and a stranger who registers
 * their names would get code run by these instructions.
 */
const files = globSync([
  '*.{md,yaml,html,json}',
  'Dockerfile',
  '{docs,deploy,client,bench,bin,.ci}/**/*.{md,yaml,conf,service,mjs,js,ts,json,py,php,java,go,cs}',
  '.ci/run',
  '{src,web,reference}/**/*.{ts,tsx,html,md}',
]).filter((file) => !/node_modules|package-lock|\/dist\//.test(file));

const byName = [
  /\b(?:npm|pnpm|yarn|bun|deno)\s+(?:i|install|add|exec|x|dlx)\b[^\n`]*[\s'":](vatfx(?:-client)?)(?=[@\s'"`<]|$)/gm,
  /\b(?:npx|bunx|pnpx)\s+(?!--no(?:-install)?\s)(?:-\S+\s+)*(vatfx(?:-client)?)(?=[@\s'"`<]|$)/gm,
];

describe('instructions', () => {
  it.each([
    'npm install vatfx-client',
    'npm install --global vatfx',
    'npm i -g vatfx@0.1.0',
    'yarn add "vatfx-client"',
    'npx vatfx demo',
    'deno add npm:vatfx-client',
  ])('%s installs by name', (text) => {
    expect(findByName(text)).toHaveLength(1);
  });

  it.each([
    'npm install --prefix ~/shop "$PWD/packed/vatfx-client-0.1.0.tgz"',
    'npm install --global packed/vatfx-0.1.0.tgz',
    'npm run -s vatfx -- keys create --name me',
    'npx --no-install vatfx demo',
  ])('%s does not', (text) => {
    expect(findByName(text)).toEqual([]);
  });

  it('install vatfx and its client from tarballs, never by name from the registry', () => {
    const found = files.flatMap((file) =>
      findByName(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`),
    );

    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'client/README.md', 'deploy/vatfx.service']),
    );
    expect(found).toEqual([]);
  });
});

describe('file names of a release in instructions', () => {
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(vatfx(?:-client)?)-(\d+\.\d+\.\d+)/g)].map(
      ([, name = '', version = '']) => ({ file, name, version }),
    ),
  );

  it('are found in docs and in the README of the client', () => {
    expect(names.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['client/README.md', 'docs/install-npm.md', 'docs/upgrading.md']),
    );
  });

  it('have the versions of the two packages', () => {
    const versions: Readonly<Record<string, string>> = {
      vatfx: manifest.version,
      'vatfx-client': clientManifest.version,
    };

    expect(names.filter(({ name, version }) => versions[name] !== version)).toEqual([]);
  });
});

function findByName(text: string): readonly string[] {
  return byName.flatMap((pattern) => text.match(pattern) ?? []);
}
