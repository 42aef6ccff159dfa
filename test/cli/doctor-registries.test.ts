import { describe, expect, it } from 'vitest';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { runDoctor } from './support/run-doctor.ts';

const settings = {
  REGISTRIES: 'vies,hmrc,bzst',
  HMRC_CLIENT_ID: 'app',
  HMRC_CLIENT_SECRET: 's3cret',
  HMRC_CONTROL: 'GB553557881',
};

// Findings about registries do not depend on the engine.
describe.skipIf(isPostgresql)('doctor and registries (rules M2 and M8)', () => {
  it('asks the registries that are enabled, and says what they answer', async () => {
    const { env, sandbox } = await startUpstreams();
    const alone = await runDoctor(env);
    const fine = await runDoctor({ ...env, ...settings });
    const refused = await runDoctor({
      ...env,
      ...settings,
      HMRC_CLIENT_ID: 'refused',
      HMRC_CONTROL: '123456789',
    });
    const wrongControl = await runDoctor({ ...env, ...settings, HMRC_CONTROL: '123456789' });
    sandbox.scenario.apply({ registries: { hmrc: { api: 'down' }, bzst: { api: 'down' } } });
    const down = await runDoctor({ ...env, ...settings });

    const namesOf = ({ found }: typeof alone) => Object.keys(found);
    expect(namesOf(alone)).not.toContain('hmrc registry');
    expect(fine.found).toMatchObject({
      'hmrc registry': { state: 'ok', found: expect.stringContaining('answered as expected') },
      'bzst registry': { state: 'ok' },
    });
    expect(refused.found['hmrc registry']).toMatchObject({
      state: 'wrong',
      advice: expect.stringContaining('HMRC_CLIENT_SECRET'),
    });
    expect(wrongControl.found['hmrc registry']).toMatchObject({
      state: 'wrong',
      advice: expect.stringContaining('HMRC_CONTROL'),
    });
    expect(down.found).toMatchObject({
      'hmrc registry': { state: 'warning', found: expect.stringContaining('unavailable') },
      'bzst registry': { state: 'warning' },
    });
    expect(JSON.stringify([fine, refused, down])).not.toContain('s3cret');
  });

  it.each([
    [{ REGISTRIES: 'hmrc' }, 'REGISTRIES has no vies, which it needs'],
    [{ ...settings, HMRC_CONTROL: '' }, 'HMRC_CONTROL is not set, REGISTRIES has hmrc'],
    [{ ...settings, HMRC_CLIENT_SECRET: '' }, 'HMRC_CLIENT_SECRET is not set'],
    [{ ...settings, HMRC_CONTROL: 'DE811115368' }, 'HMRC_CONTROL is "DE811115368", expected'],
    [
      { VIES_REQUESTER: 'NL854265259B01', REQUESTERS: 'DE811115368' },
      'VIES_REQUESTER and REQUESTERS are both set',
    ],
    [
      { REQUESTERS: 'DE811115368,DE143454214' },
      'REQUESTERS is "DE811115368,DE143454214", expected',
    ],
    [{ REQUESTERS: 'GB553557881' }, 'REQUESTERS is "GB553557881", expected'],
  ])('refuses settings that do not fit: %j', async (given, problem) => {
    const { env } = await startUpstreams();

    const { code, found } = await runDoctor({ ...env, ...given });

    expect(code).not.toBe(0);
    expect(found['configuration']?.found).toContain(problem);
  });
});
