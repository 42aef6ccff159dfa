import { describe, expect, it } from 'vitest';
import { printConfigDocument } from '../../reference/configuration.ts';
import type { Option } from '../../src/platform/config/option.ts';
import { options } from '../../src/platform/config/options.ts';

describe('printConfigDocument', () => {
  const rows = printConfigDocument()
    .split('\n')
    .filter((line) => line.startsWith('| `'));

  it('has a row for every setting that is not replaced, in the order of the table', () => {
    expect(rows.map((row) => /^\| `(\w+)`/.exec(row)?.[1])).toEqual(
      Object.values<Option<unknown>>(options)
        .filter(({ replacedBy }) => replacedBy === undefined)
        .map(({ name }) => name),
    );
  });

  it('names the file variables of secrets', () => {
    const files = rows.flatMap((row) => /^\| `(\w+)` \(or `\1_FILE`\) \|/.exec(row)?.[1] ?? []);

    expect(files.toSorted()).toEqual([
      'DATABASE_URL',
      'HMRC_CLIENT_SECRET',
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'REDIS_URL',
      'SECRET_KEY',
      'SECRET_KEY_NEXT',
      'WEBHOOK_PROXY',
    ]);
  });

  it('shows the default, or `none`', () => {
    expect(rows).toContainEqual(expect.stringMatching(/^\| `PORT` \| `8080` \|/));
    expect(rows).toContainEqual(expect.stringMatching(/^\| `CORS_ORIGINS` \| none \|/));
  });
});
