import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-cli.ts';

const misuses: readonly { readonly command: string; readonly tells: string }[] = [
  { command: 'serv', tells: "error: unknown command 'serv'\n(Did you mean serve?)" },
  { command: 'keys creat', tells: "error: unknown command 'creat'\n(Did you mean create?)" },
  { command: 'jobs list --jsn', tells: "error: unknown option '--jsn'\n(Did you mean --json?)" },
  { command: 'jobs run', tells: "error: missing required argument 'job'" },
  { command: 'jobs run vat', tells: 'error: vat is not a job, expected rates or fx' },
  { command: 'jobs list --limit 0', tells: 'error: --limit is 0, expected a number from 1 to' },
  { command: 'serve now', tells: 'error: too many arguments' },
  { command: 'backfill rates', tells: "error: required option '--from <date>' not specified" },
  {
    command: 'backfill rates --from 2026-02-30',
    tells: 'error: --from is 2026-02-30, expected YYYY-MM-DD',
  },
  {
    command: 'backfill rates --from 2015-12-31',
    tells: 'error: --from is 2015-12-31, but TEDB has nothing before 2016-01-01',
  },
  {
    command: 'backfill rates --from 2020-01-01 --to 2999-01-01',
    tells: 'error: --to is 2999-01-01, expected ',
  },
  {
    command: 'backfill rates --from 2020-01-02 --to 2020-01-01',
    tells: 'error: --from is 2020-01-02, expected a day up to 2020-01-01',
  },
  {
    command: 'backfill fx --from 1998-12-31',
    tells: 'error: --from is 1998-12-31, the first publication is of 1999-01-04',
  },
  { command: 'fx correct today', tells: 'error: the date is today, expected YYYY-MM-DD' },
  { command: 'keys create', tells: "error: required option '--name <name>' not specified" },
  {
    command: 'keys create --name N --expires 2020-01-01',
    tells: 'error: --expires is 2020-01-01, expected today or a later day',
  },
  {
    command: 'keys create --name N --expires soon',
    tells: 'error: --expires is soon, expected YYYY-MM-DD before the year 9999',
  },
  { command: 'sandbox --port x', tells: 'error: --port is x, expected a port from 0 to 65535' },
];

describe('wrong usage (operator.md)', () => {
  it.each(misuses)('ends with exit code 2 and names the mistake: $command', async (misuse) => {
    const { code, stdout, stderr } = await runCommand(misuse.command.split(' '));

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(misuse.tells);
  });

  it('prints the help if no command is given, exit code 2', async () => {
    const { code, stdout, stderr } = await runCommand([]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: vatfx [options] [command]');
  });
});

describe('a command that fails (operator.md)', () => {
  it.each([
    { command: 'keys revoke key_0', tells: 'there is no key key_0; "keys list" lists them' },
    { command: 'snapshots approve held_0', tells: 'held_0 is not held; "snapshots held" lists' },
    { command: 'snapshots reject held_0', tells: 'held_0 is not held; "snapshots held" lists' },
    { command: 'fx correct 2026-01-02', tells: 'there is no correction for 2026-01-02; "fx cor' },
  ])('ends with exit code 1 and a sentence: $command', async ({ command, tells }) => {
    const { code, stdout, stderr } = await runCommand(command.split(' '));

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(tells);
  });

  it.each([
    { what: 'a folder that is a file', url: 'file:/etc/hostname/vatfx.db', tells: '/etc/hostname' },
    { what: 'a file that is not a database', url: 'file:/bin/sh', tells: 'not a database' },
  ])('explains what is wrong with $what', async ({ url, tells }) => {
    const { code, stderr } = await runCommand(['keys', 'list'], { DATABASE_URL: url });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(tells);
    expect(stderr).not.toContain('    at ');
  });
});
