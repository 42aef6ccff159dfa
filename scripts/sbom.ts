import type { BundledPackage } from './bundled-packages.ts';

/** A program whose parts are listed. */
export type Program = {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly packages: readonly BundledPackage[];
  /** The version of the Node that is part of it; left out if it needs one. */
  readonly node?: string;
};

/**
 * Prints the list of the packages that are part of a program (SBOM, CycloneDX 1.6), with the SHA-512 of their tarballs. The
 * same program has the same text.
 */
export function printSbom({ name, version, license, packages, node }: Program): string {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: describe('application', { name, version, license }) },
    components: [
      ...(node === undefined
        ? []
        : [
            {
              ...describe('platform', { name: 'node', version: node }),
              purl: `pkg:generic/node@${node}`,
            },
          ]),
      ...packages.map((one) => ({
        ...describe('library', one),
        purl: `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`,
        hashes: [{ alg: 'SHA-512', content: digestOf(one.integrity) }],
      })),
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function describe(
  type: 'application' | 'library' | 'platform',
  { name, version, license }: { name: string; version: string; license?: string },
): object {
  const licenses = license === undefined ? {} : { licenses: [{ expression: license }] };
  return { type, 'bom-ref': `${name}@${version}`, name, version, ...licenses };
}

/** In hexadecimal digits, from the form of a lockfile. */
function digestOf(integrity: string): string {
  return Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
}
