import type { KeyChange } from '../../../src/access/authentication/key-changes.ts';
import type { PrintedDelivery } from '../../../src/webhooks/delivery/delivery.ts';
import type { PrintedSubscription as SubscriptionWithKey } from '../../../src/webhooks/subscriptions/subscription.ts';
import { addCaller, type Caller } from '../../api/support/caller.ts';
import type { Answer } from '../../support/send-request.ts';
import type { TestService } from '../../support/start-service.ts';

/** A subscription as callers see it. */
export type PrintedSubscription = Omit<SubscriptionWithKey, 'keyId'>;
export type CreatedSubscription = PrintedSubscription & { readonly secret: string };
export type DeliveryList = {
  readonly deliveries: readonly PrintedDelivery[];
  readonly nextCursor: string | null;
};

/** A caller that manages webhooks. */
export type Subscriber = Caller & {
  /** Sends a value as JSON; no body without a value. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a request and returns the document; throws unless the status is a success. */
  done<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  /** Subscribes a receiver of the sandbox, which then knows the secret. */
  subscribe(receiver: string, fields?: object): Promise<CreatedSubscription>;
};

/** Creates a key, by default without limits, and the caller that has it. */
export async function addSubscriber(
  service: TestService,
  limits: KeyChange = { rateLimit: 'none', quota: 'none' },
): Promise<Subscriber> {
  const caller = await addCaller(service, limits);
  const send: Subscriber['send'] = async (method, path, body) =>
    caller.sendRequest({
      method,
      path,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const done: Subscriber['done'] = async <T>(method: string, path: string, body?: unknown) => {
    const { status, text } = await send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    ...caller,
    send,
    done,
    subscribe: async (receiver, fields = {}) => {
      const url = service.sandbox.receiverUrl(receiver);
      const created = await done<CreatedSubscription>('POST', '/webhooks', { url, ...fields });
      service.sandbox.receivers.named(receiver).apply({ secrets: [created.secret] });
      return created;
    },
  };
}

/** The deliveries of a subscription, the newest first. */
export async function deliveriesOf(
  subscriber: Subscriber,
  { id }: Pick<PrintedSubscription, 'id'>,
  query = '',
): Promise<DeliveryList> {
  return subscriber.done<DeliveryList>('GET', `/webhooks/${id}/deliveries${query}`);
}
