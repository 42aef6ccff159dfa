/**
 * Compares `openapi.json` with that of the last release, which is the newest version in `test/releases`. It ends with 1 if a change
 * breaks callers and the changelog does not name it, or names one that there is not (CONTRIBUTING.md, Changes that break callers).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { compareWithChangelog } from '../reference/compatibility/changelog.ts';
import { findBreaks } from '../reference/compatibility/documents.ts';
import type { Json } from '../reference/openapi/schemas.ts';

const releases = readdirSync('test/releases')
  .filter((version) => existsSync(documentOf(version)))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
const release = releases.at(-1);
if (release === undefined) throw new Error('test/releases has no openapi.json of a release');

const breaks = await findBreaks(readDocument(documentOf(release)), readDocument('openapi.json'));
const problems = compareWithChangelog(breaks, readFileSync('CHANGELOG.md', 'utf8'), release);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function documentOf(version: string): string {
  return `test/releases/${version}/openapi.json`;
}

function readDocument(path: string): Json {
  return JSON.parse(readFileSync(path, 'utf8')) as Json;
}
