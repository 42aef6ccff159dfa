import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';
import { temporaryFolder } from '../support/temporary-database.ts';

type Check = { readonly id: string };

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
    const stored = { keyId: 'operator', status: 'answered', valid: true };
    expect(await runForJson(['checks', 'list'], env)).toMatchObject([stored]);
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

    const check = await runForJson(['check', 'ATU99999901'], settings);
    await runForJson(['check', '--csv', csv, '--out', out], settings);

    expect(check).toMatchObject({
      requester: { countryCode: 'GR', vatNumber: '999999902' },
      consultationNumber: expect.stringMatching(/^WAPI/),
    });
    expect(readFileSync(out, 'utf8')).toContain(',WAPI');
  });

  it.each([
    ['(DE) 111111125', 'DE111111125'],
    ['ＤＥ１１１１１１１２５', 'DE111111125'],
    ['"DE111111125"', 'DE111111125'],
    ['D.E. 111 111 125', 'DE111111125'],
    ['DE300004348 00002', 'DE300004348'],
    ['USFR17698800935', 'FR17698800935'],
    ['UKXI220430231', 'XI220430231'],
  ])('reads the number in each spelling (rules K1 and K2): %s', async (written, queriedNumber) => {
    const { env } = await startUpstreams();

    const check = await runForJson(['check', written, '--requester', `(${written})`], env);

    const requester = { countryCode: queriedNumber.slice(0, 2), vatNumber: queriedNumber.slice(2) };
    expect(check).toMatchObject({ queriedNumber, requester });
  });

  it('says that there is no answer and what follows, exit code 1', async () => {
    const { env, sandbox } = await startUpstreams();
    setMemberState(sandbox.scenario, 'AT', 'down');

    const { code, stdout, stderr } = await runCommand(['check', 'ATU99999901', '--json'], env);

    const check = JSON.parse(stdout) as Check;
    expect({ code, ...check }).toMatchObject({ code: 1, status: 'pending', valid: null });
    expect(stderr).toMatch(
      /^The registry gave no answer \(MS_UNAVAILABLE\)\. This says nothing about the number\. The check stays stored: a server with JOBS=on queries the registry again from .*Z, until .*Z\. "npm run -s vatfx -- checks show vc_\w+" shows the answer\.\n$/,
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

    const ended = await runCommand(['check', number, ...requester, '--json'], env);

    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(tells) });
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'rejected', error });
  });
});

describe('checks list (rule K19)', () => {
  it('lists the newest checks of all keys, by their filters', async () => {
    const { env } = await startUpstreams();
    await runForJson(['check', 'ATU99999901', '--reference', 'first'], env);
    await runForJson(['check', 'DE999999901'], env);
    await runCommand(['check', 'AT201'], env);

    for (const [filter, numbers] of [
      [[], ['201', '999999901', 'U99999901']],
      [['--limit', '1'], ['201']],
      [
        ['--status', 'answered'],
        ['999999901', 'U99999901'],
      ],
      [['--vat-number', 'AT U99999901'], ['U99999901']],
      [['--reference', 'first'], ['U99999901']],
      [['--since', '2999-01-01'], []],
    ] as const) {
      const list = await runForJson<{ vatNumber: string }[]>(['checks', 'list', ...filter], env);
      expect(list.map(({ vatNumber }) => vatNumber)).toEqual(numbers);
    }
    const { stdout } = await runCommand(['checks', 'list', '--status', 'rejected'], env);
    expect(stdout).toMatch(/^id +key +number +status +valid +error +created +reference\nvc_/);
    expect(stdout).toMatch(/ operator +AT 201 +rejected +- +INVALID_INPUT +/);
  });
});
