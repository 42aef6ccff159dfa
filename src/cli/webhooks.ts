import { formatInstant } from '../platform/time.ts';
import { listDeliveries } from '../webhooks/delivery/delivery-log.ts';
import { findSubscription, listSubscriptions, setStatus } from '../webhooks/subscriptions/store.ts';
import { readLimit } from './limit-option.ts';
import { CommandFailure, formatTable, report } from './report.ts';
import { withCore } from './with-core.ts';

type Reporting = { readonly json?: boolean };

/** Lists the subscriptions of all keys, or of one. */
export async function list(options: Reporting & { readonly key?: string }): Promise<void> {
  const subscriptions = await withCore(async ({ db }) => listSubscriptions(db, options.key));
  const text = formatTable(
    ['id', 'key', 'status', 'reason', 'url', 'events', 'created'],
    subscriptions.map((s) => [
      s.id,
      s.keyId,
      s.status,
      s.disabledReason,
      s.url,
      s.events.join(','),
      s.createdAt,
    ]),
    'There are no subscriptions; callers make them with POST /webhooks.',
  );
  report(options.json, subscriptions, text);
}

/** Lists the newest deliveries of a subscription, with how their last attempts ended. */
export async function deliveries(
  id: string,
  options: Reporting & { readonly limit: string },
): Promise<void> {
  const limit = readLimit(options.limit);
  const found = await withCore(async ({ db }) => {
    if ((await findSubscription(db, id)) === undefined) throw unknown(id);
    const page = { status: undefined, after: undefined, limit };
    return (await listDeliveries(db, { subscriptionId: id, ...page })).deliveries;
  });
  const text = formatTable(
    ['id', 'event', 'type', 'status', 'attempts', 'last answer', 'next attempt'],
    found.map((delivery) => {
      const last = delivery.attempts.at(-1);
      return [
        delivery.id,
        delivery.eventId,
        delivery.type,
        delivery.status,
        delivery.attempts.length,
        last === undefined ? null : (last.statusCode ?? last.error),
        delivery.nextAttemptAt,
      ];
    }),
    `Nothing was delivered to ${id} yet.`,
  );
  report(options.json, found, text);
}

/** Enables a subscription; what waited for it is delivered. */
export async function enable(id: string, options: Reporting): Promise<void> {
  await change(id, options, 'enabled');
}

/** Disables a subscription; what is due waits. */
export async function disable(id: string, options: Reporting): Promise<void> {
  await change(id, options, 'disabled');
}

async function change(
  id: string,
  options: Reporting,
  status: 'enabled' | 'disabled',
): Promise<void> {
  const isKnown = await withCore(async ({ db, clock }) => {
    const at = formatInstant(clock.now());
    const to =
      status === 'enabled' ? ({ status, at } as const) : ({ status, reason: 'operator' } as const);
    return setStatus(db, id, to, { at });
  });
  if (!isKnown) throw unknown(id);
  report(options.json, { id, status }, `${id} is ${status}`);
}

function unknown(id: string): CommandFailure {
  return new CommandFailure(`there is no subscription ${id}; "webhooks list" lists them`);
}
