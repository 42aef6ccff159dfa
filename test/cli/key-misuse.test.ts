import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { runCommand } from '../support/run-cli.ts';
import { openKeyDatabase, readStored } from './support/key-commands.ts';

const limit = 'expected a whole number from 1 to 1000000000, none or default';
const name = '--name is empty or longer than 200 characters, expected the name of the caller';
const date = 'expected YYYY-MM-DD before the year 9999, or never';
const hours = 'expected whole hours from 0 to 168';

/** Words of the table that stand for others. */
const words: Readonly<Record<string, string>> = {
  EMPTY: '',
  BLANK: ' ',
  LONG: 'x'.repeat(201),
  LINES: 'one\ntwo',
};

describe('wrong usage of keys (operator.md)', () => {
  it.each([
    ['create', "required option '--name <name>' not specified"],
    ['create --name BLANK', name],
    ['create --name LONG', name],
    ['create --name N --rate-limit 0', `--rate-limit is 0, ${limit}`],
    ['create --name N --quota 1.5', `--quota is 1.5, ${limit}`],
    ['create --name N --expires soon', `--expires is soon, ${date}`],
    ['create --name N --expires 2020-01-01', 'is 2020-01-01, expected today or a later day'],
    ['create --name N --scope read,write', '--scope is read,write, expected read, checks, webh'],
    ['change', "missing required argument 'id'"],
    [
      'change ID',
      'expected --name, --rate-limit, --quota, --calls-per-day, --scope, --requester or',
    ],
    ['change ID --name EMPTY', name],
    ['change ID --rate-limit many', `--rate-limit is many, ${limit}`],
    ['change ID --name M --quota -1', `--quota is -1, ${limit}`],
    ['change ID --expires 2999-02-30', `--expires is 2999-02-30, ${date}`],
    ['change ID --name LINES', '--name has a line break or another control character, expected'],
    ['rotate', "missing required argument 'id'"],
    ['rotate ID --overlap-hours 169', `--overlap-hours is 169, ${hours}`],
    ['rotate ID --overlap-hours -1', `--overlap-hours is -1, ${hours}`],
    ['revoke ID key_0', 'too many arguments'],
    ['use ID --from 2026-05-02 --to 2026-05-01', '--from is 2026-05-02, expected a day up to 20'],
    ['use ID --from 2026-13-01', '--from is 2026-13-01, expected YYYY-MM-DD'],
  ])('ends with exit code 2 and the reason, and stores nothing: keys %s', async (line, tells) => {
    const { db, env } = await openKeyDatabase();
    const { id } = await createKey(db, { name: 'N', at: '2026-01-01T00:00:00.000Z' });
    const before = await readStored(db);
    const args = line.split(' ').map((word) => (word === 'ID' ? id : (words[word] ?? word)));

    const { code, stdout, stderr } = await runCommand(['keys', ...args], env);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`error: `);
    expect(stderr).toContain(tells);
    expect(await readStored(db)).toEqual(before);
  });
});

describe('an unknown key (operator.md)', () => {
  it.each([
    'keys change key_0 --name N',
    'keys rotate key_0',
    'keys revoke key_0',
    'keys use key_0',
    'webhooks list --key key_0',
    'watches list --key key_0',
    'checks list --key key_0',
  ])('ends %s with exit code 1 and a sentence', async (line) => {
    const { db, env } = await openKeyDatabase();
    const before = await readStored(db);

    const ended = await runCommand(line.split(' '), env);

    const stderr = 'there is no key key_0; "npm run -s vatfx -- keys list" lists them\n';
    expect(ended).toEqual({ code: 1, stdout: '', stderr });
    expect(await readStored(db)).toEqual(before);
  });
});
