import { describe, expect, it, onTestFinished } from 'vitest';
import { openVies } from '../../../test/support/sandbox/open-sandbox.ts';

import {
  postVies,
  queryApprox,
  queryVies,
  requestedBy,
  viesRequest,
} from '../../../test/support/sandbox/vies-reader.ts';
import { setMemberState } from '../../../test/support/sandbox/scripts.ts';

describe('the log of VIES', () => {
  it('has the number and code of a request, its status and fault', async () => {
    const sandbox = await openVies();
    setMemberState(sandbox.scenario, 'DE', 'html');

    await queryVies(sandbox, 'EL', '999999901');
    await queryVies(sandbox, 'GB', '1');
    await postVies(sandbox, viesRequest('DE', '100'));
    await postVies(sandbox, 'nonsense');

    expect(sandbox.requests.of('vies')).toMatchObject([
      {
        codes: ['EL'],
        vatNumber: '999999901',
        status: 200,
        fault: 'none',
        at: Date.parse('2026-11-20T12:00:00Z'),
      },
      { codes: ['GB'], vatNumber: '1', status: 200, fault: 'none' },
      { codes: ['DE'], vatNumber: '100', status: 200, fault: 'html' },
      { codes: [], status: 500, fault: 'none' },
    ]);
  });
});

describe('the log of VIES for each operation', () => {
  it('has the operation and the requester', async () => {
    const sandbox = await openVies();

    await queryVies(sandbox, 'DE', '100');
    await queryApprox(sandbox, 'DE', '100', requestedBy('NL', '999999901B01'));
    await queryApprox(sandbox, 'DE', '100');

    const requests = sandbox.requests.of('vies');
    expect(requests.map(({ operation, requester }) => ({ operation, requester }))).toEqual([
      { operation: 'checkVat', requester: undefined },
      {
        operation: 'checkVatApprox',
        requester: { countryCode: 'NL', vatNumber: '999999901B01' },
      },
      { operation: 'checkVatApprox', requester: { countryCode: '', vatNumber: '' } },
    ]);
  });
});

describe('the counts of VIES', () => {
  it('have no query of a Member State for a requester that VIES refuses', async () => {
    const sandbox = await openVies();

    await queryApprox(sandbox, 'DE', '100', requestedBy('GB', '999999901'));
    await queryApprox(sandbox, 'DE', '100', requestedBy('NL', '999999901B01'));

    const { vies } = sandbox.requests;
    expect([vies.calls('DE'), vies.calls('NL'), vies.calls('none')]).toEqual([1, 0, 1]);
  });

  it('distinguish each Member State and requests without a query', async () => {
    const sandbox = await openVies();

    await queryVies(sandbox, 'DE', '100');
    await queryVies(sandbox, 'DE', '999999901');
    await queryVies(sandbox, 'FR', '100');
    await queryVies(sandbox, 'GB', '100');

    const { vies } = sandbox.requests;
    expect(['DE', 'FR', 'IT', 'none'].map((state) => vies.calls(state))).toEqual([2, 1, 0, 1]);
    expect(vies.calls()).toBe(4);
    sandbox.requests.clear();
    expect(vies.calls()).toBe(0);
  });

  it('include calls that wait for their answers at the same time', async () => {
    const sandbox = await openVies();
    setMemberState(sandbox.scenario, 'DE', 'hang');
    setMemberState(sandbox.scenario, 'FR', 'up', { latencyMs: 600_000 });
    const { vies } = sandbox.requests;

    const waiting = ['DE', 'DE', 'DE', 'FR', 'FR'].map((state) => queryVies(sandbox, state, '100'));
    await expect.poll(() => vies.inFlight()).toBe(5);
    const most = [vies.mostInFlight('DE'), vies.mostInFlight('FR'), vies.mostInFlight()];
    await sandbox.close();
    await Promise.allSettled(waiting);

    expect(most).toEqual([3, 2, 5]);
    await expect.poll(() => vies.inFlight()).toBe(0);
  });

  it('do not count an answered call as in flight together with the next call', async () => {
    const sandbox = await openVies();
    const callers = Array.from({ length: 4 }, async () => {
      for (let call = 0; call < 50; call += 1) await queryVies(sandbox, 'DE', '100');
    });

    await Promise.all(callers);

    expect(sandbox.requests.vies.calls('DE')).toBe(200);
    expect(sandbox.requests.vies.mostInFlight('DE')).toBeLessThanOrEqual(4);
  });

  it('add no listeners to a connection that is used again', async () => {
    const sandbox = await openVies();
    const warnings: string[] = [];
    const listen = ({ name }: Error) => warnings.push(name);
    process.on('warning', listen);
    onTestFinished(() => {
      process.off('warning', listen);
    });

    for (let call = 0; call < 30; call += 1) await queryVies(sandbox, 'DE', '100');

    expect(warnings).toEqual([]);
  });

  it('do not count a cancelled call as in flight together with the next call', async () => {
    const sandbox = await openVies();
    const { vies } = sandbox.requests;
    setMemberState(sandbox.scenario, 'DE', 'hang');

    for (let call = 1; call <= 20; call += 1) {
      const left = new AbortController();
      const asked = fetch(sandbox.viesUrl, {
        method: 'POST',
        headers: { 'Content-Type': 'text/xml' },
        body: viesRequest('DE', '100'),
        signal: left.signal,
      });
      await expect.poll(() => vies.calls('DE'), { interval: 1 }).toBe(call);
      left.abort();
      await expect(asked).rejects.toThrow('aborted');
    }

    expect(vies.mostInFlight('DE')).toBe(1);
  });
});
