import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import type * as Module from '../../client/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { releaseBefore, shareTarball } from '../journeys/support/release-program.ts';
import { startWithReceiver } from './support/own-receiver.ts';

const folder = shareTarball(`vatfx-client-${releaseBefore}`);

const day = '2026-11-20';
const austrian = { countryCode: 'AT', vatNumber: 'U99999901' };

/** Opens the client of the release before on a service of this version. */
async function open() {
  const { VatfxClient, verifyWebhook } = (await import(
    pathToFileURL(join(folder(), 'dist/index.js')).href
  )) as typeof Module;
  const { service, url, came } = await startWithReceiver({
    script: (scenario) => changeRate(scenario, 'HU', 'standard', ['25'], day),
    config: { fxBanks: ['nbp'] },
    lived: ['2026-11-19T16:00:00Z', `${day}T16:00:00Z`],
  });
  const client = new VatfxClient({ url: service.apiUrl, key: service.key });
  return { client, verifyWebhook, service, url, came };
}

/** Watches the calls of all methods; returns the names of those that were not called. */
function watchMethods(client: Module.VatfxClient) {
  const { checks, watches, webhooks } = client;
  const spies = Object.entries({ client, checks, watches, webhooks }).flatMap(([name, object]) => {
    const methods = Object.getPrototypeOf(object) as Record<string, () => unknown>;
    return Object.getOwnPropertyNames(methods)
      .filter((method) => method !== 'constructor')
      .map((method) => [`${name}.${method}`, vi.spyOn(methods, method)] as const);
  });
  onTestFinished(() => spies.forEach(([, spy]) => spy.mockRestore()));
  return () => spies.flatMap(([name, spy]) => (spy.mock.calls.length === 0 ? [name] : []));
}

it(`each method of the client of version ${releaseBefore} works with this version`, async () => {
  const { client, verifyWebhook, service, url, came } = await open();
  const uncalled = watchMethods(client);
  const { checks, watches, webhooks } = client;

  expect(Object.keys((await client.rates()).rates)).toHaveLength(27);
  expect((await client.rates('2026-11-19')).version).toBe('2026-11-19');
  expect((await client.errata({ country: 'DE' })).errata).not.toEqual([]);
  expect((await client.rateDates()).dates).toEqual(['2026-11-19', day]);
  expect((await client.categories({ country: 'BE', cn: '4902' })).rows).not.toEqual([]);
  expect((await client.categoryChangesOn(day)).snapshotDate).toBe(day);
  expect((await client.categoryList()).categories).not.toEqual([]);
  expect(await client.territories({ country: 'ES', postcode: '35001' })).toMatchObject({
    decided: true,
    territories: [{ code: 'ES-CN' }],
  });
  expect((await client.changes()).changes).toMatchObject([{ country: 'HU' }]);
  expect((await client.changesOn(day)).count).toBe(1);
  expect((await client.fx('2026-11-15', { fallBack: 'previous' })).date).toBe('2026-11-13');
  expect((await client.fxOss('2026-Q3')).date).toBe('2026-09-30');
  expect((await client.fxIoss('2026-10')).date).toBe('2026-11-02');
  expect((await client.fxCustoms('2026-11')).date).toBe('2026-10-21');
  expect((await client.fxVat(day)).date).toBe(day);
  expect((await client.fxVat(day, { country: 'PL' })).date).toBe('2026-11-19');
  expect((await client.fxDates()).dates).toContain(day);
  expect((await client.fxVat(day, { country: 'PL', bank: 'nbp' })).date).toBe('2026-11-19');
  expect((await client.fxBank('nbp')).date).toBe(day);
  expect((await client.fxBankDates('nbp')).dates).toContain(day);
  const range = await client.fxRange({ from: '2026-11-19', to: day, currencies: ['USD'] });
  expect(range.dates).toEqual(['2026-11-19', day]);
  const rule = { rule: 'oss', period: '2026-Q3' } as const;
  expect((await client.convert('1000', 'USD', 'EUR', rule)).currency).toBe('EUR');
  expect((await client.checkVat('AT', 'U99999901')).valid).toBe(true);
  expect((await client.usage()).quota.used).toBeGreaterThan(0);
  expect(Object.keys((await client.status()).dataSets)).toEqual(['rates', 'fx', 'nbp']);
  client.clearCache();

  const check = await checks.create({ ...austrian, reference: 'order 1' });
  expect(await checks.get(check.id)).toEqual(check);
  expect(await checks.wait(check.id)).toEqual(check);
  expect((await checks.list({ valid: true })).checks).toEqual([check]);
  const { batchId } = await checks.createBatch([austrian]);
  expect((await checks.getBatch(batchId)).count).toBe(1);
  const [signed] = (await checks.evidenceKeys()).keys;
  expect(await checks.evidence(check.id)).toMatchObject({ keyId: signed?.kid });

  expect((await watches.put('AT', 'U99999901', { everyDays: 30 })).everyDays).toBe(30);
  expect((await watches.get('AT', 'U99999901')).vatNumber).toBe('U99999901');
  expect((await watches.list()).watches).toHaveLength(1);
  await watches.delete('AT', 'U99999901');

  const page = await client.eventPage({ limit: 1 });
  expect(page.events).toMatchObject([{ type: 'rates.changed', count: 1 }]);
  for await (const event of client.events({ after: page.nextCursor })) {
    expect(event).toMatchObject({ type: 'vat.checked', check });
    break;
  }
  await checks.delete(check.id);

  const { id, secret } = await webhooks.create({ url });
  expect((await webhooks.update(id, { description: 'shop' })).description).toBe('shop');
  const sent = await webhooks.test(id);
  await eventually(() => came.length === 1);
  await eventually(
    async () => (await webhooks.deliveries(id)).deliveries[0]?.status === 'succeeded',
  );
  await webhooks.replayDelivery(id, sent.id);
  await eventually(() => came.length === 2);
  const now = service.scenario.clock.now();
  for (const { headers, body } of came) {
    expect(await verifyWebhook(body, headers, secret, { now })).toMatchObject({
      type: 'webhook.test',
    });
  }
  expect((await webhooks.rotateSecret(id)).secret).not.toBe(secret);
  expect(await webhooks.list()).toEqual([await webhooks.get(id)]);
  await webhooks.remove(id);

  expect(uncalled()).toEqual([]);
});
