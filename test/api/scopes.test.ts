import { describe, expect, it } from 'vitest';
import { changeKey } from '../../src/access/authentication/key-changes.ts';
import type { Scope } from '../../src/platform/http/scope.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService } from '../support/start-service.ts';
import { addCaller, usedBy } from './support/caller.ts';

const at = '2026-11-20T16:00:00Z';
const service = shareService({ lived: [at] });
const others = (scope: Scope): Scope[] =>
  (['read', 'checks', 'webhooks'] as const).filter((one) => one !== scope);

type Asked = readonly [method: string, path: string];
const reads: readonly Asked[] = [
  ['GET', '/rates'],
  ['HEAD', '/rates'],
  ['GET', '/rates/2026-11-20'],
  ['GET', '/changes?limit=0'],
  ['GET', '/fx/range?from=2026-11-20&to=2026-11-20'],
  ['GET', '/vatcheck/AT/1'],
  ['GET', '/usage'],
  ['GET', '/status'],
];
const ofWebhooks: readonly Asked[] = [
  ['GET', '/webhooks'],
  ['POST', '/webhooks'],
  ['GET', '/webhooks/sub_1'],
  ['PATCH', '/webhooks/sub_1'],
  ['DELETE', '/webhooks/sub_1'],
  ['POST', '/webhooks/sub_1/rotate-secret'],
  ['POST', '/webhooks/sub_1/test'],
  ['GET', '/webhooks/sub_1/deliveries?status=x'],
  ['POST', '/webhooks/sub_1/deliveries/del_1/replay'],
];
const ofChecks: readonly Asked[] = [
  ['GET', '/vatchecks'],
  ['POST', '/vatchecks'],
  ['GET', '/vatchecks.csv?limit=0'],
  ['GET', '/vatchecks/vc_1'],
  ['DELETE', '/vatchecks/vc_1'],
  ['GET', '/vatwatches?limit=0'],
  ['PUT', '/vatwatches/GB/1'],
  ['GET', '/vatwatches/GB/1'],
  ['DELETE', '/vatwatches/GB/1'],
];
const guarded = [
  ...ofChecks.map((asked) => ['checks', ...asked] as const),
  ...reads.map((asked) => ['read', ...asked] as const),
  ...ofWebhooks.map((asked) => ['webhooks', ...asked] as const),
];

describe('a key without the scope of a route (contract C3)', () => {
  it.each(guarded)('%s: gets 403 to %s %s before the request is read', async (...row) => {
    const [scope, method, path] = row;
    const caller = await addCaller(service(), { scopes: others(scope) });

    const answer = await caller.sendRequest({
      method,
      path,
      ...(method === 'POST' ? { body: '{' } : {}),
    });

    const refusal = errorForm(403, `scope missing: ${scope}`);
    expect(formOf(answer)).toEqual(method === 'HEAD' ? { ...refusal, text: '' } : refusal);
  });

  it('gets 404 for an unknown path and 405 for another method first', async () => {
    const caller = await addCaller(service(), { scopes: ['checks'] });

    expect(formOf(await caller.get('/nowhere'))).toEqual(errorForm(404, 'not found'));
    expect(formOf(await caller.sendRequest({ method: 'PUT', path: '/rates' }))).toEqual(
      errorForm(405, 'method not allowed'),
    );
  });

  it('is not charged for a 403', async () => {
    const caller = await addCaller(service(), { scopes: ['read'], rateLimit: 1 });

    for (let n = 0; n < 3; n += 1) await caller.get('/webhooks');

    expect(await usedBy(caller)).toEqual([0, 0]);
    expect((await caller.get('/rates')).status).toBe(200);
  });
});

describe('a key with the scope of a route', () => {
  it.each([
    ['read', '/rates', 200],
    ['read', '/vatcheck/AT/U99999901', 200],
    ['read', '/usage', 200],
    ['webhooks', '/webhooks', 200],
    ['checks', '/vatchecks', 200],
  ] as const)('%s: gets an answer of %s', async (scope, path, status) => {
    const caller = await addCaller(service(), { scopes: [scope] });

    expect((await caller.get(path)).status).toBe(status);
  });

  it('loses the route when an operator removes the scope, and gets it back', async () => {
    const { core } = service();
    const caller = await addCaller(service(), { scopes: ['read'] });
    const statuses: number[] = [];
    for (const scopes of [['read'], ['checks'], ['read', 'checks']] as const) {
      await changeKey(core.db, caller.id, { scopes, at });
      await core.watch.poll();
      statuses.push((await caller.get('/rates')).status);
    }

    expect(statuses).toEqual([200, 403, 200]);
  });
});

describe('a key without the scope `read`', () => {
  it.each(['/rates', '/vatcheck/AT/U99999901'])(
    'gets 403 for %s although its answer is in memory',
    async (target) => {
      const caller = await addCaller(service(), { scopes: ['webhooks'] });
      for (let n = 0; n < 2; n += 1) await service().get(target);

      expect((await caller.get(target)).status).toBe(403);
    },
  );
});
