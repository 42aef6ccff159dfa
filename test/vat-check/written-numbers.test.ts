import { describe, expect, it } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import { shareService } from '../support/start-service.ts';
import { getCheck, postBatch, postCheck, sendToChecks } from './support/stored-checks-api.ts';

/** Numbers that are queried otherwise than they are written, with the remark on it. */
const rows = [
  ['US', 'FR17698800935', 'FR17698800935', 'prefix removed'],
  ['AU', 'FR17698800935', 'FR17698800935', 'prefix removed'],
  ['NO', 'FR17698800935', 'FR17698800935', 'prefix removed'],
  ['XX', 'FR17698800935', 'FR17698800935', 'prefix removed'],
  ['US', 'MC40000066034', 'FR40000066034', 'prefix removed'],
  ['UK', 'UKXI220430231', 'XI220430231', 'prefix removed'],
  ['EU', 'GR094019245', 'EL094019245', 'prefix removed'],
  ['DE', 'DE 300004348 00002', 'DE300004348', 'W-IdNr read as VAT number'],
  ['DE', '30000436400001', 'DE300004364', 'W-IdNr read as VAT number'],
  ['CH', 'DE300004364 00001', 'DE300004364', 'W-IdNr read as VAT number'],
] as const;

describe('a number that is queried otherwise than it is written (rules K1 and K2)', () => {
  const service = shareService();

  it.each(rows)('is one in every route: %s %s', async (country, vat, queried, hint) => {
    const caller = await addCaller(service());
    const path = `${country}/${encodeURIComponent(vat)}`;
    const written = { countryCode: country, vatNumber: vat };

    const answer = await caller.get(`/vatcheck/${path}`);
    const { check } = await postCheck(caller, written);
    const { batch } = await postBatch(caller, { checks: [{ ...written, maxAgeSeconds: 60 }] });
    const watch = await caller.sendRequest({ method: 'PUT', path: `/vatwatches/${path}` });
    const filter = new URLSearchParams(written).toString();
    const listed = await sendToChecks(caller, 'GET', `?${filter}`);

    expect([answer.status, answer.headers['vatfx-hint']]).toEqual([200, hint]);
    expect(JSON.parse(answer.text)).toMatchObject(written);
    expect(check).toMatchObject({ ...written, queriedNumber: queried, hint });
    expect(await countOf(batch.batchId)).toMatchObject({ count: 1, rejected: 0 });
    expect(watch.status).toBe(201);
    const { checks } = JSON.parse(listed.text) as { checks: { id: string }[] };
    expect(checks.map(({ id }) => id)).toContain(check.id);
    expect(checks).toHaveLength(2);

    async function countOf(batchId: string): Promise<unknown> {
      return JSON.parse((await sendToChecks(caller, 'GET', `/batch/${batchId}`)).text);
    }
  });

  it.each([
    ['DE', '30000436400001', { countryCode: 'DE', vatNumber: '300004364' }],
    ['US', 'FR17698800935', { countryCode: 'FR', vatNumber: '17698800935' }],
    ['EU', 'EU372041333', { countryCode: 'EU', vatNumber: '372041333' }],
    ['EU', 'GR094019245', { countryCode: 'GR', vatNumber: '094019245' }],
  ])('is one as requester: %s %s', async (countryCode, vatNumber, requester) => {
    const caller = await addCaller(service());
    const body = { countryCode: 'AT', vatNumber: 'U99999901' };

    const { check } = await postCheck(caller, {
      ...body,
      requester: { countryCode, vatNumber },
    });

    expect((await getCheck(caller, check.id)).requester).toEqual(requester);
  });
});
