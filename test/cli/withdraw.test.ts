import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/platform/time/time.ts';
import { eventually } from '../support/eventually.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { settingsBeside } from './support/key-commands.ts';
import { runDoctor } from './support/run-doctor.ts';
import { startAhead, today } from './support/start-ahead.ts';

const withdraw = ['snapshots', 'withdraw', '--after'];

describe('snapshots withdraw --after DATE (operator.md, contract C17a)', () => {
  it('takes back what is later than today, as doctor advises, and the running server shows that within 2 s', async () => {
    const service = await startAhead();
    const env = settingsBeside(service);

    const { found } = await runDoctor({ ...env, ...service.sandbox.environment });
    const { code, stdout } = await runCommand([...withdraw, today], env);
    await eventually(async () =>
      (await service.get('/rates')).text.includes(`"version":"${today}"`),
    );
    const again = await runCommand([...withdraw, today], env);

    expect(found['rates']).toMatchObject({
      state: 'wrong',
      found: expect.stringContaining(`later than today, ${today}`),
      advice: expect.stringContaining(`"npm run -s vatfx -- snapshots withdraw --after ${today}"`),
    });
    expect(code).toBe(0);
    const [first, last] = [addDays(today, 1), addDays(today, 3)];
    expect(stdout).toContain(`rates ${first} to ${last} taken back: 3 versions\n`);
    expect(stdout).toContain('caches may hold them for up to a year');
    expect(again).toMatchObject({ code: 1, stderr: `no version is later than ${today}\n` });
  });

  it('reports the versions as JSON, with the reason in the audit, and refuses a date before today', async () => {
    const service = await startAhead();
    const env = settingsBeside(service);
    const after = addDays(today, 2);

    const refused = await runCommand([...withdraw, addDays(today, -1)], env);
    const unchanged = (await service.get('/rates')).text;
    const document = await runForJson([...withdraw, after, '--reason', 'the clock was wrong'], env);

    const expected = `expected ${today}, which is today by the clock of this machine`;
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) });
    expect(unchanged).toContain(`"version":"${addDays(today, 3)}"`);
    expect(document).toMatchObject({
      withdrawn: expect.arrayContaining([{ kind: 'rates', versions: [addDays(today, 3)] }]),
    });
    const entry = { action: 'snapshots.withdraw', subject: after, reason: 'the clock was wrong' };
    expect(await runForJson(['audit'], env)).toContainEqual(expect.objectContaining(entry));
  });
});
