import { describe, expect, it } from 'vitest';
import { openVies } from '../support/sandbox/open-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';
import { type Approx, checkApprox } from './support/check-against.ts';

const requester = ['NL', '999999901B01'] as const;
const consultationNumber = expect.stringMatching(/^WAPI[0-9A-Za-z]{12}$/) as string;

async function answerOf(sandbox: Sandbox, query: Approx): Promise<unknown> {
  const { outcome } = await checkApprox(sandbox.viesUrl, query);
  return outcome.kind === 'answered' ? outcome.answer : outcome;
}

describe('checkVatApprox with the sandbox (rules K6 and K7)', () => {
  it('gives a requester the data of the register and a consultation number', async () => {
    expect(await answerOf(await openVies(), { requester })).toEqual({
      valid: true,
      requestDate: '2026-11-20+01:00',
      name: 'Erfundene Backwaren GmbH',
      address: 'Erfindergasse 1\nAT-1010 Wien',
      consultationNumber,
      traderMatch: {},
    });
  });

  it('gives a false answer its consultation number', async () => {
    const number = ['AT', 'U99999990'] as const;

    expect(await answerOf(await openVies(), { number, requester })).toMatchObject({
      valid: false,
      name: null,
      address: null,
      consultationNumber,
    });
  });

  it('reports matches of Spain, and no data that was sent', async () => {
    const trader = {
      name: 'Comercio Imaginario SL',
      street: 'Calle Imaginaria 1',
      postcode: '28002',
    };

    expect(
      await answerOf(await openVies(), { number: ['ES', 'B99999902'], requester, trader }),
    ).toEqual({
      valid: true,
      requestDate: '2026-11-20+01:00',
      name: null,
      address: null,
      consultationNumber,
      traderMatch: { name: 'valid', street: 'valid', postcode: 'invalid' },
    });
  });

  it('reports matches of the test number for the fields that were sent', async () => {
    const number = ['LV', '100'] as const;

    expect(await answerOf(await openVies(), { number })).toMatchObject({
      name: 'John Doe',
      address: '123 Main St, Anytown, UK',
      consultationNumber: 'WAPI0000001',
      traderMatch: {},
    });
    expect(
      await answerOf(await openVies(), { number, trader: { name: 'John Doe', city: 'Rīga' } }),
    ).toMatchObject({
      name: null,
      address: '123 Main St, Anytown, UK',
      traderMatch: { name: 'valid', city: 'valid' },
    });
  });

  it('sends texts that the registry compares as they are', async () => {
    const number = ['AT', 'U99999903'] as const;
    const trader = { name: 'Erdachte & Söhne KG', city: '<Salzburg>' };

    expect(await answerOf(await openVies(), { number, trader })).toMatchObject({
      name: null,
      traderMatch: { name: 'valid', city: 'valid' },
    });
  });

  it('has no consultation number if the registry gives the requester none', async () => {
    const sandbox = await openVies({ unknownRequester: 'empty' });

    expect(await answerOf(sandbox, { requester: ['NL', '854265259B01'] })).toMatchObject({
      valid: true,
      consultationNumber: undefined,
    });
  });

  it('is no answer about the number if the registry refuses the requester', async () => {
    const sandbox = await openVies({ unknownRequester: 'fault' });

    expect(await answerOf(sandbox, { requester: ['NL', '854265259B01'] })).toEqual({
      kind: 'requesterRejected',
    });
  });

  it('is no answer while the Member State is down', async () => {
    const sandbox = await openVies();
    setMemberState(sandbox.scenario, 'AT', 'down');

    expect(await answerOf(sandbox, { requester })).toEqual({
      kind: 'memberStateUnavailable',
      because: 'down',
    });
  });

  it.each([
    ['before August 2022', { prefixes: 'soap' }],
    ['with a max-age', { maxAge: 600 }],
  ] as const)('is read in the form %s', async (_, script) => {
    expect(await answerOf(await openVies(script), { requester })).toMatchObject({ valid: true });
  });
});
