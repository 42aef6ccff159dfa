import { formatInstant } from '../src/platform/time/time.ts';
import type { PrintedWatch } from '../src/vat-check/watches/print-watch.ts';
import { type Send, until, type World } from './world.ts';

/** The watch of the examples. */
export const watchPath = '/vatwatches/ES/B99999902';

/**
 * Lets a watched number end, and returns the body of the `vat.changed` that its receiver gets. The jobs run from then on,
 * so it is the last example.
 */
export async function makeChangedExample({ sandbox, service }: World, send: Send): Promise<string> {
  const { scenario, receivers } = sandbox;
  const url = sandbox.receiverUrl('watches');
  const created = await send('POST', '/webhooks', { url, events: ['vat.changed'] });
  const { secret } = JSON.parse(created.text) as { readonly secret: string };
  const receiver = receivers.named('watches');
  receiver.apply({ secrets: [secret] });
  const answeredAt = async (moment: string): Promise<void> => {
    scenario.apply({ now: Date.parse(moment) });
    // Its slot depends on its random id, and an example must not.
    const due_at = formatInstant(sandbox.clock.now());
    await service.core.db.updateTable('vat_watches').set({ due_at }).execute();
    await until(async () => {
      const { lastCheck } = JSON.parse((await send('GET', watchPath)).text) as PrintedWatch;
      return lastCheck?.status === 'answered' && lastCheck.createdAt === due_at;
    });
  };
  // The clock stands, and the pace allows one attempt at a time: that of the watch.
  await service.core.db.deleteFrom('vat_checks').where('status', '=', 'pending').execute();
  service.startJobs();
  await answeredAt('2026-11-20T17:00:00Z');
  scenario.apply({ vies: { deregister: [{ country: 'ES', number: 'B99999902' }] } });
  await answeredAt('2026-11-20T18:00:00Z');
  await answeredAt('2026-11-20T19:15:00Z');
  await until(() => receiver.received.length > 0);
  return withFixedSlot(receiver.received[0]?.bytes.toString() ?? '');
}

/** Lets VIES refuse the requester of the watch of `makeChangedExample`, and returns the body of the `vat.watch_failed`. */
export async function makeFailedExample({ sandbox, service }: World, send: Send): Promise<string> {
  await send('PUT', watchPath, {
    everyDays: 30,
    requester: { countryCode: 'NL', vatNumber: '202' },
  });
  sandbox.scenario.apply({ now: Date.parse('2026-11-20T20:30:00Z') });
  const due_at = formatInstant(sandbox.clock.now());
  await service.core.db.updateTable('vat_watches').set({ due_at }).execute();
  const read = async () =>
    JSON.parse((await send('GET', '/events?type=vat.watch_failed')).text) as {
      readonly events: readonly Readonly<Record<string, unknown>>[];
    };
  await until(async () => (await read()).events.length > 0);
  const [{ id: _id, cursor: _cursor, ...body } = {}] = (await read()).events;
  return withFixedSlot(JSON.stringify(body));
}

/** The next slot of a watch depends on its random id, and an example must not. */
function withFixedSlot(body: string): string {
  return body.replace(/"nextCheckAt":"[^"]+"/, '"nextCheckAt":"2026-12-14T02:11:40.000Z"');
}
