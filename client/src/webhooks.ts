import { idSegment, queryString } from './path.ts';
import { type CallOptions, type Transport, withoutRates } from './transport.ts';
import type { WebhookEvent } from './verify-webhook.ts';

/** An event type that a subscription may name. */
export type EventType = Exclude<WebhookEvent['type'], 'webhook.test'>;

/** A URL that receives events (contract C27). */
export type Subscription = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string | null;
  readonly status: 'enabled' | 'disabled';
  /** `gone`: the receiver answered 410. Null while it is enabled. */
  readonly disabledReason: 'requested' | 'operator' | 'gone' | 'failing' | 'key_ended' | null;
  readonly createdAt: string;
};

/** A new subscription with its signing secret `whsec_…`, which no later answer contains. */
export type NewSubscription = Subscription & { readonly secret: string };

export type SubscriptionInput = {
  readonly url: string;
  /** By default `rates.changed`; any other type has to be named. */
  readonly events?: readonly EventType[];
  readonly description?: string | null;
};

export type SubscriptionChange = Partial<SubscriptionInput> & {
  readonly status?: 'enabled' | 'disabled';
};

export type RotatedSecret = {
  readonly id: string;
  readonly secret: string;
  /** Until then deliveries have a signature by the old secret as well. */
  readonly overlapEndsAt: string;
};

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/** One event to one subscription. */
export type Delivery = {
  readonly id: string;
  /** The `webhook-id` of the request. */
  readonly eventId: string;
  readonly type: WebhookEvent['type'];
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: string | null;
  /** The oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
};

export type DeliveryAttempt = {
  readonly at: string;
  /** Null if the receiver did not answer; `error` says why. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
};

export type DeliveryQuery = {
  readonly status?: DeliveryStatus | undefined;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
  /** By default 50, at most 200. */
  readonly limit?: number | undefined;
};

/** Deliveries, the newest first; `nextCursor` is null on the last page. */
export type DeliveryPage = {
  readonly deliveries: readonly Delivery[];
  readonly nextCursor: string | null;
};

/** The subscriptions of the key (contract C27). A request that changes something is sent once, never repeated. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(options?: CallOptions): Promise<readonly Subscription[]> {
    const { webhooks } = await this.#transport.read<{ readonly webhooks: readonly Subscription[] }>(
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
    body: { readonly overlapHours?: number } = {},
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
