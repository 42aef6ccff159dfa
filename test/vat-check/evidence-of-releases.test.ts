import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPublishedKeys } from '../../src/vat-check/stored/evidence/published-keys.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { countOf, reportFigure } from '../support/proof.ts';

const folder = join(import.meta.dirname, '../releases');

/** The releases since 0.2, of which each has a fixture: those that the changelog has, without the unreleased one. */
const releases = [
  ...readFileSync(join(folder, '../../CHANGELOG.md'), 'utf8').matchAll(
    /^## ([0-9.]+)(?: \([0-9-]+\))?$/gm,
  ),
].flatMap(([, version = '']) => (version.startsWith('0.1.') ? [] : [version]));

/** Programs that read a file of evidence and print it in their way. */
const formatters: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['Python', 'python3', '-c', 'import json,sys; json.dump(json.load(sys.stdin), sys.stdout)'],
  ['Python, indented and sorted', 'python3', '-m', 'json.tool', '--sort-keys'],
  ['PHP', 'php', '-r', 'echo json_encode(json_decode(stream_get_contents(STDIN)));'],
  [
    'PHP, pretty',
    'php',
    '-r',
    'echo json_encode(json_decode(stream_get_contents(STDIN), true), JSON_PRETTY_PRINT);',
  ],
];
const isMissing = (program: string): boolean => spawnSync(program, ['-h']).error !== undefined;

it('follows the changelog: a release without a fixture fails', () => {
  expect(releases).toContain('0.2.0');
});
const flips = countOf({ full: 2_000, perCommit: 200 });

/** The evidence that the program of a release made, and the keys that it published. */
function readRelease(version: string) {
  const read = (name: string) => readFileSync(join(folder, version, 'evidence', name));
  const names = readdirSync(join(folder, version, 'evidence')).filter((name) =>
    name.startsWith('vc_'),
  );
  const files = names.map((name) => ({ name, bytes: read(name) }));
  return { files, published: readPublishedKeys(read('keys.json')) };
}

describe.each(releases)('evidence of release %s (rule K16, reliability R39)', (version) => {
  const { files, published } = readRelease(version);

  it.for(formatters)(
    'holds, with a note, as %s prints it',
    async ([, program, ...args], { skip }) => {
      skip(isMissing(program), `needs ${program}`);
      const [{ bytes } = { bytes: Buffer.alloc(0) }] = files;
      const printed = execFileSync(program, args, { input: bytes });
      const crlf = Buffer.from(printed.toString().replaceAll('\n', '\r\n'));

      for (const formatted of [printed, crlf]) {
        const verification = await verifyEvidence(formatted, published);

        expect(verification).toMatchObject({
          faults: [],
          isKeyPublished: true,
          isReformatted: true,
        });
      }
      const forged = printed.toString().replace('vc_', 'vd_');
      expect((await verifyEvidence(Buffer.from(forged), published)).faults).not.toEqual([]);
    },
  );

  it('holds, and is found forged after each change of one bit', async () => {
    const unseen: string[] = [];
    for (const { name, bytes } of files) {
      const { faults, isKeyPublished, isReformatted } = await verifyEvidence(bytes, published);
      expect({ name, faults, isKeyPublished, isReformatted }).toEqual({
        name,
        faults: [],
        isKeyPublished: true,
        isReformatted: false,
      });
      for (let flip = 0; flip < flips; flip += 1) {
        // A step without a common divisor with the number of bits visits each of them before one again.
        const bit = (flip * 7919) % (bytes.length * 8);
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        if ((await verifyEvidence(changed, published)).faults.length === 0)
          unseen.push(`bit ${bit} of ${name}`);
      }
    }

    reportFigure(
      'R39',
      `${files.length} files of release ${version} hold; ${files.length * flips} changes of one bit in them: ${unseen.length} not found`,
    );
    expect(files.length).toBeGreaterThan(5);
    expect(unseen).toEqual([]);
  }, 600_000);
});
