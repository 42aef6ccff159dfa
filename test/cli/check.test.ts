import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';

type Check = {
  readonly id: string;
  readonly status: string;
  readonly valid: boolean | null;
  readonly keyId: string;
};

describe('check NUMBER (rule K19)', () => {
  it('stores a check, and prints the answer of the registry', async () => {
    const { env } = await startUpstreams();

    const { code, stdout, stderr } = await runCommand(['check', 'ATU99999901'], env);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^check {8}vc_\w{32}, created .*Z by operator\nnumber {7}AT U99999901\nrequester {4}none\n/,
    );
    expect(stdout).toMatch(/\nanswer {7}valid: true, on \d{4}-\d\d-\d\d\+0[12]:00, received .*Z\n/);
    expect(stdout).toContain('- name       "Erfundene Backwaren GmbH"\n');
    const [stored] = await runForJson<Check[]>(['checks', 'list'], env);
    expect(stored).toMatchObject({ keyId: 'operator', status: 'answered', valid: true });
  });

  it('sends the requester and the data of the customer, and prints consultation number and matches', async () => {
    const { env } = await startUpstreams();
    const trader = ['--trader-name', 'Erfundene Backwaren GmbH', '--trader-city', 'Linz'];

    const { code, stdout } = await runCommand(
      ['check', 'at u 999 999 01', '--requester', 'EL999999902', ...trader, '--reference', 'c 1'],
      env,
    );

    expect(code).toBe(0);
    expect(stdout).toContain('number       at u 999 999 01\nrequester    GR 999999902\n');
    expect(stdout).toMatch(/consultation number WAPI\w{12}\n/);
    expect(stdout).toContain('- match      name: valid\n- match      city: invalid\n');
    expect(stdout).toContain('reference    c 1\n');
  });

  it('is on behalf of VIES_REQUESTER if no requester is given, and so is a file', async () => {
    const { env } = await startUpstreams();
    const settings = { ...env, VIES_REQUESTER: 'EL999999902' };
    const folder = temporaryFolder();
    const [csv, out] = [join(folder, 'in.csv'), join(folder, 'out.csv')];
    writeFileSync(csv, 'countryCode,vatNumber\nAT,U99999901\n');

    const check = await runForJson<Check>(['check', 'ATU99999901'], settings);
    await runForJson(['check', '--csv', csv, '--out', out], settings);

    expect(check).toMatchObject({
      requester: { countryCode: 'GR', vatNumber: '999999902' },
      consultationNumber: expect.stringMatching(/^WAPI/),
    });
    expect(readFileSync(out, 'utf8')).toContain(',GR,999999902,');
  });

  it('ends with exit code 0 for a number that is not registered: that is an answer', async () => {
    const { env } = await startUpstreams();

    const check = await runForJson<Check>(['check', 'ATU99999999'], env);

    expect(check).toMatchObject({ status: 'answered', valid: false, name: null });
  });

  it('says that there is no answer and what follows, exit code 1', async () => {
    const { env, sandbox } = await startUpstreams();
    setMemberState(sandbox.scenario, 'AT', 'down');

    const { code, stdout, stderr } = await runCommand(['check', 'ATU99999901', '--json'], env);

    const check = JSON.parse(stdout) as Check;
    expect({ code, ...check }).toMatchObject({ code: 1, status: 'pending', valid: null });
    expect(stderr).toMatch(
      /^The registry gave no answer \(MS_UNAVAILABLE\)\. This says nothing about the number\. The check stays stored: a server with JOBS=on queries the registry again from .*Z, until .*Z\. "vatfx checks show vc_\w+" shows the answer\.\n$/,
    );
    const shown = await runCommand(['checks', 'show', check.id], env);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('answer       none: pending, MS_UNAVAILABLE; attempts: 1\n');
    expect(shown.stdout).toContain('\n\nThe registry gave no answer (MS_UNAVAILABLE).');
  });

  it.each([
    ['AT201', 'INVALID_INPUT', 'The registry refuses the number (INVALID_INPUT)'],
    ['AT202', 'INVALID_REQUESTER', 'The registry refuses the requester (INVALID_REQUESTER)'],
  ])('ends with exit code 1 if the registry refuses %s', async (number, error, tells) => {
    const { env } = await startUpstreams();
    const requester = error === 'INVALID_REQUESTER' ? ['--requester', 'AT202'] : [];

    const { code, stdout, stderr } = await runCommand(
      ['check', number, ...requester, '--json'],
      env,
    );

    expect(JSON.parse(stdout)).toMatchObject({ status: 'rejected', error });
    expect(code).toBe(1);
    expect(stderr).toContain(tells);
  });

  it.each([
    [['check'], 'expected a VAT number such as DE811115368, or --csv and --out'],
    [['check', 'GB123456789'], 'expected a VAT number with its country in front'],
    [['check', '999999901'], 'expected a VAT number with its country in front'],
    [['check', 'ATU99999901', '--requester', 'x'], '--requester is x, expected a VAT number'],
    [['check', 'ATU99999901', '--trader-company-type', '?'], "invalid 'trader.companyType'"],
    [['check', 'ATU99999901', '--reference', 'x'.repeat(101)], "invalid 'reference'"],
  ])('refuses wrong usage, and stores nothing: %j', async (args, tells) => {
    const { env } = await startUpstreams();

    const { code, stdout, stderr } = await runCommand(args, env);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(tells);
    expect(await runForJson(['checks', 'list'], env)).toEqual([]);
  });
});

describe('checks list and show (rule K19)', () => {
  it('list the newest checks of all keys, by their filters', async () => {
    const { env } = await startUpstreams();
    await runForJson(['check', 'ATU99999901', '--reference', 'first'], env);
    await runForJson(['check', 'DE999999901'], env);
    await runCommand(['check', 'AT201'], env);
    const numbersOf = async (...filter: string[]) =>
      (await runForJson<{ vatNumber: string }[]>(['checks', 'list', ...filter], env)).map(
        ({ vatNumber }) => vatNumber,
      );

    expect(await numbersOf()).toEqual(['201', '999999901', 'U99999901']);
    expect(await numbersOf('--limit', '1')).toEqual(['201']);
    expect(await numbersOf('--status', 'answered')).toEqual(['999999901', 'U99999901']);
    expect(await numbersOf('--vat-number', 'AT U99999901')).toEqual(['U99999901']);
    expect(await numbersOf('--reference', 'first')).toEqual(['U99999901']);
    expect(await numbersOf('--key', 'operator', '--since', '2020-01-01')).toHaveLength(3);
    const { stdout } = await runCommand(['checks', 'list', '--status', 'rejected'], env);
    expect(stdout).toMatch(/^id +key +number +status +valid +error +created +reference\nvc_/);
    expect(stdout).toMatch(/ operator +AT 201 +rejected +- +INVALID_INPUT +/);
  });

  it('say which argument is wrong, and that a check does not exist', async () => {
    const { env } = await startUpstreams();

    const wrong = await runCommand(['checks', 'list', '--status', 'done'], env);
    const none = await runCommand(['checks', 'show', 'vc_1'], env);
    const empty = await runCommand(['checks', 'list'], env);

    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('expected pending, answered, rejected, expired');
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no check vc_1') });
    expect(empty.stdout).toBe('There are no such checks.\n');
  });
});
