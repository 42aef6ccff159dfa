import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { runCommand } from '../support/run-cli.ts';
import { openKeyDatabase, readStored } from './support/key-commands.ts';

const limit = 'expected a whole number from 1 to 1000000000, none or default';
const name = '--name is empty or longer than 200 characters, expected the name of the caller';
const date = 'expected YYYY-MM-DD before the year 9999, or never';
const hours = 'expected whole hours from 0 to 168';

type Misuse = readonly [what: string, args: readonly string[], tells: string];
const misuses: readonly Misuse[] = [
  ['create, no name', ['create'], "required option '--name <name>' not specified"],
  ['create, an empty name', ['create', '--name', ' '], name],
  ['create, a long name', ['create', '--name', 'x'.repeat(201)], name],
  [
    'create, no limit',
    ['create', '--name', 'N', '--rate-limit', '0'],
    `--rate-limit is 0, ${limit}`,
  ],
  ['create, half a quota', ['create', '--name', 'N', '--quota', '1.5'], `--quota is 1.5, ${limit}`],
  ['create, no date', ['create', '--name', 'N', '--expires', 'soon'], `--expires is soon, ${date}`],
  [
    'create, a day that has passed',
    ['create', '--name', 'N', '--expires', '2020-01-01'],
    '--expires is 2020-01-01, expected today or a later day',
  ],
  [
    'create, an unknown scope',
    ['create', '--name', 'N', '--scope', 'read,write'],
    '--scope is read,write, expected read, checks, webhooks, or several',
  ],
  ['change, no id', ['change'], "missing required argument 'id'"],
  [
    'change, nothing',
    ['change', '{id}'],
    'expected --name, --rate-limit, --quota, --scope, --requester or --expires, got none of them',
  ],
  ['change, an empty name', ['change', '{id}', '--name', ''], name],
  [
    'change, a bad limit',
    ['change', '{id}', '--rate-limit', 'many'],
    `--rate-limit is many, ${limit}`,
  ],
  [
    'change, a bad quota beside a good name',
    ['change', '{id}', '--name', 'M', '--quota', '-1'],
    `--quota is -1, ${limit}`,
  ],
  [
    'change, no day',
    ['change', '{id}', '--expires', '2999-02-30'],
    `--expires is 2999-02-30, ${date}`,
  ],
  [
    'change, a name of two lines',
    ['change', '{id}', '--name', 'one\ntwo'],
    '--name has a line break or another control character, expected plain text',
  ],
  [
    'use, from after to',
    ['use', '{id}', '--from', '2026-05-02', '--to', '2026-05-01'],
    '--from is 2026-05-02, expected a day up to 2026-05-01',
  ],
  ['rotate, no id', ['rotate'], "missing required argument 'id'"],
  [
    'rotate, more than a week',
    ['rotate', '{id}', '--overlap-hours', '169'],
    `--overlap-hours is 169, ${hours}`,
  ],
  [
    'rotate, less than nothing',
    ['rotate', '{id}', '--overlap-hours', '-1'],
    `--overlap-hours is -1, ${hours}`,
  ],
  ['revoke, no id', ['revoke'], "missing required argument 'id'"],
  ['revoke, two', ['revoke', '{id}', 'key_0'], 'too many arguments'],
  ['use, no id', ['use'], "missing required argument 'id'"],
  [
    'use, no first day',
    ['use', '{id}', '--from', '2026-13-01'],
    '--from is 2026-13-01, expected YYYY-MM-DD',
  ],
  ['use, no last day', ['use', '{id}', '--to', 'today'], '--to is today, expected YYYY-MM-DD'],
];

describe('wrong usage of keys (operator.md)', () => {
  it.each(misuses)(
    'ends with exit code 2 and the reason, and stores nothing: %s',
    async (_what, args, tells) => {
      const { db, env } = await openKeyDatabase();
      const { id } = await createKey(db, { name: 'N', at: '2026-01-01T00:00:00.000Z' });
      const before = await readStored(db);

      const { code, stdout, stderr } = await runCommand(
        ['keys', ...args.map((arg) => arg.replace('{id}', id))],
        env,
      );

      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`error: ${tells}`);
      expect(await readStored(db)).toEqual(before);
    },
  );
});

describe('an unknown key (operator.md)', () => {
  it.each([
    ['keys change', ['key_0', '--name', 'N']],
    ['keys rotate', ['key_0']],
    ['keys revoke', ['key_0']],
    ['keys use', ['key_0']],
    ['webhooks list', ['--key', 'key_0']],
    ['watches list', ['--key', 'key_0']],
    ['checks list', ['--key', 'key_0']],
  ])('ends %s with exit code 1 and a sentence', async (command, args) => {
    const { db, env } = await openKeyDatabase();
    const before = await readStored(db);

    const ended = await runCommand([...command.split(' '), ...args], env);

    const stderr = 'there is no key key_0; "keys list" lists them\n';
    expect(ended).toEqual({ code: 1, stdout: '', stderr });
    expect(await readStored(db)).toEqual(before);
  });
});
