import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/platform/time/time.ts';
import { eventually } from '../support/eventually.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import type { TestService } from '../support/start-service.ts';
import { databaseSettings } from '../support/temporary-database.ts';
import { runDoctor } from './support/run-doctor.ts';
import { startAhead, today } from './support/start-ahead.ts';

const settingsOf = (service: TestService) => databaseSettings(service.config.databaseUrl);

describe('snapshots withdraw --after DATE (operator.md, contract C17a)', () => {
  it('takes back what is later than today, and the running server shows that within 2 s', async () => {
    const service = await startAhead();

    const { code, stdout } = await runCommand(
      ['snapshots', 'withdraw', '--after', today],
      settingsOf(service),
    );

    expect(code).toBe(0);
    const [first, last] = [addDays(today, 1), addDays(today, 3)];
    expect(stdout).toContain(`rates ${first} to ${last} taken back: 3 versions\n`);
    expect(stdout).toContain('caches may hold them for up to a year');
    await eventually(
      async () => (await service.get('/rates')).text.includes(`"version":"${today}"`),
      2_000,
    );
    const again = await runCommand(
      ['snapshots', 'withdraw', '--after', today],
      settingsOf(service),
    );
    expect(again).toMatchObject({ code: 1, stderr: `no version is later than ${today}\n` });
  });

  it('reports the versions as JSON, with the reason in the audit', async () => {
    const service = await startAhead();
    const after = addDays(today, 2);

    const args = ['snapshots', 'withdraw', '--after', after, '--reason', 'the clock was wrong'];
    const document = await runForJson(args, settingsOf(service));

    expect(document).toMatchObject({
      withdrawn: expect.arrayContaining([{ kind: 'rates', versions: [addDays(today, 3)] }]),
    });
    expect(await runForJson(['audit'], settingsOf(service))).toContainEqual(
      expect.objectContaining({
        action: 'snapshots.withdraw',
        subject: after,
        reason: 'the clock was wrong',
      }),
    );
  });

  it('refuses a date before today with a sentence, and changes nothing', async () => {
    const service = await startAhead();

    const { code, stderr } = await runCommand(
      ['snapshots', 'withdraw', '--after', addDays(today, -1)],
      settingsOf(service),
    );

    expect(code).toBe(2);
    expect(stderr).toContain(`expected ${today}, which is today by the clock of this machine`);
    expect((await service.get('/rates')).text).toContain(`"version":"${addDays(today, 3)}"`);
  });

  it('is what doctor advises', async () => {
    const service = await startAhead();

    const env = { ...settingsOf(service), ...service.sandbox.environment };
    const { found } = await runDoctor(env);

    expect(found['rates']).toMatchObject({
      state: 'wrong',
      found: expect.stringContaining(`later than today, ${today}`),
      advice: expect.stringContaining(`"snapshots withdraw --after ${today}"`),
    });
  });
});
