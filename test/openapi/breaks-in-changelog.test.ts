import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareWithChangelog } from '../../reference/compatibility/changelog.ts';
import { anObject, answering, text } from './support/small-documents.ts';

const gone = { operation: 'GET /rates', what: '`a` of answer 200 is gone' };
const nullable = { operation: 'GET /rates', what: '`b` of answer 200 may be null' };
const breaks = [gone, nullable, { ...gone, operation: 'GET /rates/{date}' }];

const problemsOf = (...lines: readonly string[]): readonly string[] =>
  compareWithChangelog(
    breaks,
    ['# Changelog', '', '## Unreleased', '', ...lines, '', '## 0.3.0 (2026-11-26)'].join('\n'),
    '0.3.0',
  );

/** Entries that name all changes. */
const entries = [
  '- **Breaking**: `GET /rates`, `GET',
  '  /rates/{date}`: `a` of answer 200 is gone. Read `c`; it is never null.',
  '- **Breaking**: `GET /rates`: `b` of answer 200 may be null',
  '- Something else.',
];

describe('changes that break callers, and entries of the changelog (CONTRIBUTING.md)', () => {
  it('fit, in wrapped lines and with further sentences', () => {
    expect(problemsOf(...entries)).toEqual([]);
  });

  it('are reported as the entries that are missing', () => {
    const other = '- `GET /rates`: `a` of answer 200 is gone.';
    const later = ['## 0.3.0 (2026-11-26)', ...entries];

    expect(problemsOf(other, ...entries.slice(2), ...later)).toEqual([
      'openapi.json breaks callers of 0.3.0. Take the change back, or add these entries to CHANGELOG.md:',
      '- **Breaking**: `GET /rates`, `GET /rates/{date}`: `a` of answer 200 is gone.',
    ]);
    expect(problemsOf(...later)).toContain(
      '- **Breaking**: `GET /rates`: `a` of answer 200 is gone; `b` of answer 200 may be null.',
    );
  });

  it.each([
    ['`GET /fx`: `a` of answer 200 is gone.', '`GET /fx`: `a` of answer 200 is gone.'],
    ['`GET /rates`: `z` is gone.', '`GET /rates`: `z` is gone.'],
    ['`GET /rates`: `a` of answer 200 is gone; `z` is gone.', '`GET /rates`: `z` is gone.'],
    [
      '`GET /rates`, `GET /rates/{date}`: `b` of answer 200 may be null. Read `c`.',
      '`GET /rates/{date}`: `b` of answer 200 may be null.',
    ],
  ])('are reported as an entry too many: %s', (entry, excess) => {
    expect(problemsOf(...entries, `- **Breaking**: ${entry}`)).toEqual([
      `CHANGELOG.md has an entry **Breaking** for a change that openapi.json does not have: ${excess}`,
    ]);
  });

  it('are reported as an entry in another form', () => {
    expect(problemsOf(...entries, '- **Breaking** rates are gone')).toEqual([
      'CHANGELOG.md has an entry **Breaking** that begins with no operation: rates are gone',
    ]);
  });

  it('are not compared with a changelog that lacks the release', () => {
    expect(() => compareWithChangelog(breaks, '## Unreleased', '0.3.0')).toThrow(
      'CHANGELOG.md has no heading "## 0.3.0 (…)"',
    );
  });
});

describe('npm run check:callers', () => {
  const before = answering(anObject({ a: text }));

  it.each([
    ['ends with 0 if nothing breaks callers of the newest release', before, 0, ''],
    [
      'ends with 1 and names the change otherwise',
      answering(anObject({})),
      1,
      '- **Breaking**: `POST /x`: `a` of answer 200 is gone.\n',
    ],
  ])('%s', (_, now, exitCode, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'vatfx-check-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = {
      'CHANGELOG.md': '## Unreleased\n\n## 0.10.0 (2026-12-01)\n',
      'openapi.json': JSON.stringify(now),
      'test/releases/0.9.0/openapi.json': JSON.stringify(answering(text)),
      'test/releases/0.10.0/openapi.json': JSON.stringify(before),
      'test/releases/0.11.0/sqlite.sql': '',
    };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }

    const script = resolve('scripts/compare-release.ts');
    const { status, stderr } = spawnSync(process.execPath, [script], {
      cwd: folder,
      encoding: 'utf8',
    });

    expect([status, stderr.split('\n').slice(1).join('\n')]).toEqual([exitCode, message]);
  });
});
