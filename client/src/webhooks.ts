import type {
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  NewSubscription,
  RotatedSecret,
  SecretRotation,
  Subscription,
  SubscriptionChange,
  SubscriptionInput,
  SubscriptionList,
} from './api-types.ts';
import { idSegment, queryString } from './path.ts';
import { type CallOptions, type Transport, withoutRates } from './transport.ts';

/** The subscriptions of the key (contract C27). A request that changes something is sent once, never repeated. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(options?: CallOptions): Promise<readonly Subscription[]> {
    const { webhooks } = await this.#transport.read<SubscriptionList>(
      '/webhooks',
      withoutRates('webhooks'),
      options,
    );
    return webhooks;
  }

  async get(id: string, options?: CallOptions): Promise<Subscription> {
    return this.#transport.read(subscriptionPath(id), withoutRates('id'), options);
  }

  /** Subscribes a URL. Only this answer contains the signing secret. */
  async create(wanted: SubscriptionInput, options?: CallOptions): Promise<NewSubscription> {
    const shape = withoutRates('id');
    return this.#transport.send('POST', '/webhooks', { body: wanted, shape, options });
  }

  /** Changes the given fields; the others stay. */
  async update(
    id: string,
    change: SubscriptionChange,
    options?: CallOptions,
  ): Promise<Subscription> {
    const shape = withoutRates('id');
    return this.#transport.send('PATCH', subscriptionPath(id), { body: change, shape, options });
  }

  /** Removes a subscription with its deliveries and their log. */
  async remove(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.send('DELETE', subscriptionPath(id), { options });
  }

  /** Makes a new secret. The old secret signs as well for `overlapHours`: 0 to 168, by default 24. */
  async rotateSecret(
    id: string,
    body: SecretRotation = {},
    options?: CallOptions,
  ): Promise<RotatedSecret> {
    const path = `${subscriptionPath(id)}/rotate-secret`;
    return this.#transport.send('POST', path, { body, shape: withoutRates('secret'), options });
  }

  /** Sends a `webhook.test` event; returns before the event arrives. */
  async test(id: string, options?: CallOptions): Promise<Delivery> {
    const shape = withoutRates('id');
    return this.#transport.send('POST', `${subscriptionPath(id)}/test`, { shape, options });
  }

  /** One page of the deliveries, the newest first. */
  async deliveries(
    id: string,
    { status, cursor, limit }: DeliveryQuery = {},
    options?: CallOptions,
  ): Promise<DeliveryPage> {
    const path = `${subscriptionPath(id)}/deliveries${queryString({ status, cursor, limit })}`;
    return this.#transport.read(path, withoutRates('deliveries'), options);
  }

  /** Sends one delivery again. */
  async replayDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<Delivery> {
    const path = `${subscriptionPath(id)}/deliveries/${idSegment(deliveryId)}/replay`;
    return this.#transport.send('POST', path, { shape: withoutRates('id'), options });
  }
}

function subscriptionPath(id: string): string {
  return `/webhooks/${idSegment(id)}`;
}
