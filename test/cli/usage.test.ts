import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-cli.ts';
import { databaseSettings, temporaryDatabaseUrl } from '../support/temporary-database.ts';

/** Calls a command with a database that has no rows. */
async function runWithDatabase(line: string) {
  return runCommand(line.split(' ').filter(Boolean), databaseSettings(temporaryDatabaseUrl()));
}

const limit = 'expected a number from 1 to 9999';

describe('wrong usage (operator.md)', () => {
  it.each([
    ['', 'Usage: npm run -s vatfx -- [options] [command]'],
    ['serv', "error: unknown command 'serv'\n(Did you mean serve?)"],
    ['keys creat', "error: unknown command 'creat'\n(Did you mean create?)"],
    ['jobs list --jsn', "error: unknown option '--jsn'\n(Did you mean --json?)"],
    ['jobs run', "error: missing required argument 'job'"],
    ['jobs run vat', 'error: vat is not a job, expected rates, fx, nbp, cnb'],
    ['jobs list --limit 0', `error: --limit is 0, ${limit}`],
    ['audit --limit 0', `error: --limit is 0, ${limit}`],
    ['serve now', 'error: too many arguments'],
    ['backfill rates', "error: required option '--from <date>' not specified"],
    ['backfill rates --from 2026-02-30', '--from is 2026-02-30, expected YYYY-MM-DD'],
    ['backfill rates --from 2015-12-31', 'but TEDB has nothing before 2016-01-01'],
    ['backfill rates --from 2020-01-01 --to 2999-01-01', '--to is 2999-01-01, expected '],
    ['backfill rates --from 2020-01-02 --to 2020-01-01', 'expected a day up to 2020-01-01'],
    ['backfill fx --from 1998-12-31', 'the first publication is of 1999-01-04'],
    ['fx correct today', 'error: the date is today, expected YYYY-MM-DD'],
    ['sandbox --port x', 'error: --port is x, expected a port from 0 to 65535'],
    ['webhooks remove sub_0', 'unknown command'],
    ['webhooks deliveries', "missing required argument 'id'"],
    ['webhooks disable sub_0 sub_1', 'too many arguments'],
    ['webhooks list --key', 'argument missing'],
    ['webhooks deliveries sub_0 --limit 10000', `--limit is 10000, ${limit}`],
    ['evidence export --since yesterday --out x', '--since is yesterday, expected YYYY-MM-DD'],
    ['evidence export --out x', "required option '--since <date>' not specified"],
    ['checks forget --vat-number 811115368', 'with its country in front'],
    ['checks list --status done', 'expected pending, answered, rejected, expired'],
    ['check', 'expected a VAT number such as DE811115368, or --csv and --out'],
    ['check GB123456789', '(no registry for GB), expected a VAT number with its country in front'],
    ['check 999999901', '(not a country), expected a VAT number with its country in front'],
    ['check ATU99999901 --requester x', '--requester is x (no digit), expected a VAT number'],
    ['check ATU99999901 --trader-company-type ?', "invalid 'trader.companyType'"],
    ['check --csv in.csv', 'error: --csv and --out are used together\n'],
    ['check ATU99999901 --csv a --out b', 'error: expected either a number or --csv, not both\n'],
    [
      'check --csv /etc/hostname --out /etc/hostname',
      'error: --out is the file of --csv; name another file\n',
    ],
  ])('ends with exit code 2 and names the mistake: vatfx %s', async (line, tells) => {
    const { code, stdout, stderr } = await runWithDatabase(line);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(tells);
  });

  it.each([
    ['doctr', 'npm run -s vatfx -- <serve | demo | '],
    [
      'webhooks lst',
      'npm run -s vatfx -- webhooks <list | deliveries | networks | enable | disable>',
    ],
    ['backup --witout-key x', 'npm run -s vatfx -- backup <file> [--json] [--without-key]'],
    ['jobs list --colour', 'npm run -s vatfx -- jobs list [--json] [--limit <number>]'],
  ])('prints the expected form: %s', async (line, expected) => {
    const { stderr } = await runCommand(line.split(' '));

    expect(stderr).toContain(`\nexpected: ${expected}`);
    expect(stderr).toMatch(/\n"npm run -s vatfx --[^"]* --help" shows more\n$/);
  });
});

describe('a command that fails (operator.md)', () => {
  it.each([
    ['snapshots approve held_0', 'held_0 is not held; "npm run -s vatfx -- snapshots held" lists'],
    ['snapshots reject held_0', 'held_0 is not held; "npm run -s vatfx -- snapshots held" lists'],
    ['fx correct 2026-01-02', 'there is no correction for 2026-01-02; "npm run -s vatfx -- fx cor'],
    ['checks show vc_1', 'no check vc_1'],
    [
      'webhooks deliveries sub_0',
      'there is no subscription sub_0; "npm run -s vatfx -- webhooks list" lists them',
    ],
    [
      'webhooks enable sub_0',
      'there is no subscription sub_0; "npm run -s vatfx -- webhooks list" lists them',
    ],
    [
      'webhooks disable sub_0',
      'there is no subscription sub_0; "npm run -s vatfx -- webhooks list" lists them',
    ],
    ['check --csv /nowhere/x --out out.csv', 'x cannot be read'],
  ])('ends with exit code 1 and a sentence: %s', async (line, tells) => {
    const { code, stdout, stderr } = await runWithDatabase(line);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(tells);
  });

  it.each([
    ['a folder', 'file:/etc', '/etc is a folder, expected a file'],
    ['a file that is not a database', 'file:/bin/sh', 'not a database'],
  ])('explains what is wrong with %s', async (_, url, tells) => {
    const { code, stderr } = await runCommand(['keys', 'list'], { DATABASE_URL: url });

    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(tells);
    expect(stderr).not.toContain('    at ');
  });
});

describe('nothing to list (operator.md)', () => {
  it.each([
    ['keys list', 'There are no keys yet; "npm run -s vatfx -- keys create --name N" makes one.\n'],
    ['audit', 'No changes are recorded yet.\n'],
    ['jobs list', 'No job has run yet.\n'],
    ['snapshots held', 'Nothing is held.\n'],
    ['fx corrections', 'There are no corrections: the ECB has changed no published value.\n'],
    ['checks list', 'There are no such checks.\n'],
    ['webhooks list', 'There are no subscriptions; callers make them with POST /webhooks.\n'],
    ['watches list', 'There are no watches; callers make them with PUT /vatwatches/'],
  ])('%s says so, and is an empty document with --json', async (line, sentence) => {
    const table = await runWithDatabase(line);
    const { code, stdout, stderr } = await runWithDatabase(`${line} --json`);

    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toContain(sentence);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });
});
