import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BundledPackage } from './bundled-packages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const rule = '='.repeat(80);

/** The licence of something in the program. */
export type Licence = { readonly name: string; readonly version: string; readonly text: string };

/** Prints licences as the file THIRD_PARTY_LICENSES: the line `name version` of each between two rules, and its text. */
export function printLicences(licences: readonly Licence[]): string {
  return licences
    .map(({ name, version, text }) => `${rule}\n${name} ${version}\n${rule}\n\n${text.trim()}\n`)
    .join('\n');
}

/**
 * Reads the licence of a package: its licence files, else the section of its README, else the text of the licence that
 * its manifest names, with the author there. The text says if it is one of the latter two.
 *
 * @throws If the package has none of them.
 */
export function readLicence({ folder, name, version, license, author }: BundledPackage): Licence {
  const readAll = (form: RegExp): readonly string[] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && form.test(entry.name))
      .map((entry) => readFileSync(join(root, folder, entry.name), 'utf8').trim())
      .filter((text) => text !== '');
  const files = readAll(/^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i);
  const [section] = readAll(/^readme(?:\.|$)/i).flatMap((readme) => cutLicence(readme) ?? []);

  if (files.length > 0) return { name, version, text: files.join('\n\n') };
  if (section !== undefined) {
    return { name, version, text: `From the README of the package:\n\n${section}` };
  }
  const text = standardTexts[license];
  if (text === undefined || author === undefined) {
    throw new Error(`${name} ${version} has no licence text: ${license}, ${author ?? 'no author'}`);
  }
  const from = `The package has no text. Its manifest names the licence ${license} and the author ${author}.`;
  return { name, version, text: `${from}\n\nCopyright (c) ${author}\n\n${text}` };
}

/** The section about the licence in a README; undefined if it has none, or one that only names or links it. */
function cutLicence(readme: string): string | undefined {
  const [, section] = /^#+ *licen[cs]e *#*\n([^]*?)(?=^#|$(?![^]))/im.exec(readme) ?? [];
  return section !== undefined && /\bpermission\b/i.test(section) ? section.trim() : undefined;
}

/** By SPDX identifier: the text below the copyright notice. */
const standardTexts: Readonly<Record<string, string>> = {
  ISC: `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY
SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION
OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN
CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.`,
};
