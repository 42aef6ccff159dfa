import { describe, expect, it } from 'vitest';
import { changeKey } from '../../src/access/authentication/key-changes.ts';
import { addCaller } from '../api/support/caller.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService } from '../support/start-service.ts';
import { austrian, postCheck } from './support/stored-checks-api.ts';

const at = '2026-11-20T16:00:00Z';
const dutch = { countryCode: 'NL', vatNumber: '854265259B01' };
const greek = { countryCode: 'GR', vatNumber: '999999902' };

describe('the requester of a check (rule K4)', () => {
  const service = shareService({ config: { viesRequester: 'NL854265259B01' } });

  it('is VIES_REQUESTER, unless the body names another or the key has its own', async () => {
    const plain = await addCaller(service());
    const own = await addCaller(service(), { requester: 'EL999999902' });

    const checks = [
      await postCheck(plain, austrian),
      await postCheck(plain, { ...austrian, requester: greek }),
      await postCheck(own, austrian),
      await postCheck(own, {
        ...austrian,
        requester: { countryCode: 'el', vatNumber: 'EL 999999902' },
      }),
    ];

    expect(checks.map(({ check }) => check.requester)).toEqual([dutch, greek, greek, greek]);
    for (const { check } of checks) expect(check.consultationNumber).toMatch(/^WAPI/);
  });

  it('is 403 if the key has another one, and nothing is stored', async () => {
    const caller = await addCaller(service(), { requester: 'EL999999902' });

    const { answer } = await postCheck(caller, { ...austrian, requester: dutch });

    expect(formOf(answer)).toEqual(errorForm(403, 'requester not allowed'));
    const { db } = service().core;
    const stored = db.selectFrom('vat_checks').select('id').where('key_id', '=', caller.id);
    expect(await stored.execute()).toEqual([]);
  });

  it('follows a change of the key', async () => {
    const { core } = service();
    const caller = await addCaller(service(), { requester: 'EL999999902' });
    await postCheck(caller, austrian);
    await changeKey(core.db, caller.id, { requester: null, at });
    await core.watch.poll();

    expect((await postCheck(caller, austrian)).check.requester).toEqual(dutch);
  });
});
