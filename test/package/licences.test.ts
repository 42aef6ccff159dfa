import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ownPlatform } from '../../scripts/executable.ts';
import { readLicence } from '../../scripts/licences.ts';
import { reportFigure } from '../support/proof.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { readLockfile } from './support/lockfile.ts';
import { shareRelease, unpack } from './support/packed.ts';

const release = shareRelease();
const read = (name: string): string => readFileSync(join(release(), name), 'utf8');

/** The parts of a list of packages (CycloneDX) that the test reads. */
type Sbom = {
  readonly metadata: { readonly component: object };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  }[];
};

describe('the packages that are part of the program (O18)', () => {
  it('are the locked ones, each in the list of packages and in the file of licences', () => {
    const { packages } = readLockfile();
    const unpacked = unpack(join(release(), `vatfx-${manifest.version}.tgz`), temporaryFolder());
    const bundled = foldersIn(unpacked).map((folder) => [folder, packages[folder]] as const);
    const expected = bundled.map(([folder, locked]) => `${nameOf(folder)} ${locked?.version}`);

    const sbom = JSON.parse(read(`vatfx-${manifest.version}.cdx.json`)) as Sbom;
    const licences = readFileSync(join(unpacked, 'dist/THIRD_PARTY_LICENSES'), 'utf8');

    expect(expected.length).toBeGreaterThan(90);
    expect(headingsOf(licences).toSorted()).toEqual(expected.toSorted());
    expect(sbom.components.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(
      expected.toSorted(),
    );
    expect(new Set(sbom.components.map(({ hashes }) => hashes?.[0]?.content))).toEqual(
      new Set(bundled.map(([, locked]) => digestOf(locked?.integrity))),
    );
    expect(sbom.metadata.component).toMatchObject({ name: 'vatfx', version: manifest.version });
    reportFigure(
      'R47',
      `${expected.length} packages in the bundle, in the lockfile, the list of packages and the licences`,
    );
  });

  it('are printed with their licences by the executable, and Node with its own', () => {
    const licences = read('THIRD_PARTY_LICENSES');
    const node = `node ${process.versions.node}`;

    const printed = execFileSync(join(release(), `vatfx-${ownPlatform}`), ['licenses'], {
      encoding: 'utf8',
    });

    expect(printed.startsWith(readFileSync('LICENSE', 'utf8'))).toBe(true);
    expect(printed).toContain(licences);
    expect(headingsOf(printed)).toEqual([...headingsOf(licences), node]);
    const { components } = JSON.parse(read(`vatfx-${ownPlatform}.cdx.json`)) as Sbom;
    expect(components.map(({ name, version }) => `${name} ${version}`)).toEqual([
      node,
      ...headingsOf(licences),
    ]);
  });
});

describe('the licence of a package', () => {
  const mit = 'Permission is hereby granted, free of charge, to any person';
  const author = 'A. Person <a@example.com>';

  it.each([
    ['its file', { LICENCE: 'one', 'README.md': `# License\n${mit}` }, /^one$/],
    ['all of its files', { 'LICENSE.md': 'one', NOTICE: 'two' }, /^one\n\ntwo$/],
    [
      'the section of its README, without the next one',
      { LICENSE: ' ', 'Readme.md': `# a\n## License\n\n${mit}\n\n## b\n` },
      /^From the README of the package:\n\nPermission is .*person$/,
    ],
    [
      'the text of what its manifest names, if the README only names it as well',
      { 'README.md': '## License\n\nMIT' },
      /^The package has no text\. Its manifest names the licence MIT and the author A\. Person .*\n\nCopyright \(c\) A\. Person .*\n\nPermission is/,
    ],
  ])('is %s', (_what, files, text) => {
    expect(readLicence({ ...place(files), author }).text).toMatch(text);
  });

  it.each([
    ['has no author', {}],
    ['has a licence whose text is not known', { author, license: 'X-1.0' }],
  ])('is an error if the package has no text and %s', (_what, manifested) => {
    const one = { ...place({ LICENSE: '', 'README.md': '## License\n\nMIT' }), ...manifested };

    expect(() => readLicence(one)).toThrow(/^some 1\.2\.3 has no licence text: /);
  });

  function place(files: Readonly<Record<string, string>>): Parameters<typeof readLicence>[0] {
    const folder = join(temporaryFolder(), 'some');
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const names = { folder: relative('.', folder), name: 'some', version: '1.2.3' };
    return { ...names, integrity: '', license: 'MIT' };
  }
});

/** The folders of all packages in the package: those in its source maps, and those of the console. */
function foldersIn(unpacked: string): readonly string[] {
  const folders = globSync('dist/service/*.map', { cwd: unpacked }).flatMap((name) => {
    const map = JSON.parse(readFileSync(join(unpacked, name), 'utf8')) as {
      readonly sources: readonly string[];
    };
    return map.sources.flatMap(
      (source) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(source) ?? [],
    );
  });
  const ofConsole = ['preact', 'uplot', 'world-atlas'].map((name) => `node_modules/${name}`);
  return [...new Set([...folders, ...ofConsole])];
}

function nameOf(folder: string): string {
  return folder.replace(/^.*node_modules\//, '');
}

/** The lines `name version` of a file of licences. */
function headingsOf(licences: string): readonly string[] {
  const rule = '={80}';
  const heading = new RegExp(`^${rule}\\n(.+)\\n${rule}$`, 'gm');
  return [...licences.matchAll(heading)].map(([, line = '']) => line);
}

/** In the form of a list of packages. */
function digestOf(integrity = ''): string {
  return Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
}
