import { refuseInput } from './refusal.ts';
import type { CallOptions, Shape, Transport } from './transport.ts';
import type { WebhookEvent } from './verify-webhook.ts';

/** An event type that a subscription may name. */
export type EventType = Exclude<WebhookEvent['type'], 'webhook.test'>;

/** A wish to be told of events at a URL (contract C27). */
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

/** The `whsec_…` that signs; shown this once. */
export type NewSubscription = Subscription & { readonly secret: string };

export type SubscriptionInput = {
  readonly url: string;
  /** All events without it. */
  readonly events?: readonly EventType[];
  readonly description?: string | null;
};

export type SubscriptionChange = Partial<SubscriptionInput> & {
  readonly status?: 'enabled' | 'disabled';
};

export type RotatedSecret = {
  readonly id: string;
  readonly secret: string;
  /** Until then the secret before signs as well. */
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
  /** Null when there was no answer; `error` says why. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
};

export type DeliveryQuery = {
  readonly status?: DeliveryStatus | undefined;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** 50 without it, and never more than 200. */
  readonly limit?: number | undefined;
};

/** The newest first; `nextCursor` is null on the last page. */
export type DeliveryPage = {
  readonly deliveries: readonly Delivery[];
  readonly nextCursor: string | null;
};

/** From when on events are sent again, and how many they are. */
export type Replay = { readonly since: string; readonly events: number };

const aSubscription: Shape = { field: 'id', numbers: 'counts' };

/** The subscriptions of the key (contract C27). What changes something is sent once, and never repeated. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(options?: CallOptions): Promise<readonly Subscription[]> {
    const shape: Shape = { field: 'webhooks', numbers: 'counts' };
    const { webhooks } = await this.#transport.read<{ readonly webhooks: readonly Subscription[] }>(
      '/webhooks',
      shape,
      options,
    );
    return webhooks;
  }

  async get(id: string, options?: CallOptions): Promise<Subscription> {
    return this.#transport.read(subscription(id), aSubscription, options);
  }

  /** Subscribes a URL. The answer has the secret, which is shown this once. */
  async create(wanted: SubscriptionInput, options?: CallOptions): Promise<NewSubscription> {
    return this.#post('/webhooks', aSubscription, { body: wanted, options });
  }

  /** Changes what is given; the rest stays. */
  async update(
    id: string,
    change: SubscriptionChange,
    options?: CallOptions,
  ): Promise<Subscription> {
    return this.#transport.send('PATCH', subscription(id), {
      body: change,
      shape: aSubscription,
      ...(options && { options }),
    });
  }

  /** Removes a subscription with its deliveries and their log. */
  async remove(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.send('DELETE', subscription(id), { ...(options && { options }) });
  }

  /** Makes a new secret; the one before signs as well for 24 hours, or as many as are given (0 to 168). */
  async rotateSecret(
    id: string,
    body: { readonly overlapHours?: number } = {},
    options?: CallOptions,
  ): Promise<RotatedSecret> {
    const shape: Shape = { field: 'secret', numbers: 'counts' };
    return this.#post(`${subscription(id)}/rotate-secret`, shape, { body, options });
  }

  /** Sends a `webhook.test` event; answers before it arrives. */
  async test(id: string, options?: CallOptions): Promise<Delivery> {
    return this.#post(`${subscription(id)}/test`, aSubscription, { options });
  }

  /** A page of the log, the newest first. */
  async deliveries(
    id: string,
    { status, cursor, limit }: DeliveryQuery = {},
    options?: CallOptions,
  ): Promise<DeliveryPage> {
    const asked = new URLSearchParams();
    if (status !== undefined) asked.set('status', status);
    if (cursor !== undefined) asked.set('cursor', cursor);
    if (limit !== undefined) asked.set('limit', String(limit));
    const path = `${subscription(id)}/deliveries${asked.size === 0 ? '' : `?${asked}`}`;
    return this.#transport.read(path, { field: 'deliveries', numbers: 'counts' }, options);
  }

  /** Sends one delivery again. */
  async replayDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<Delivery> {
    const path = `${subscription(id)}/deliveries/${identifier(deliveryId)}/replay`;
    return this.#post(path, aSubscription, { options });
  }

  /** Sends every event since a date or an instant again, also from before the subscription. */
  async replay(id: string, since: string, options?: CallOptions): Promise<Replay> {
    const shape: Shape = { field: 'events', numbers: 'counts' };
    return this.#post(`${subscription(id)}/replay`, shape, { body: { since }, options });
  }

  async #post<T>(
    path: string,
    shape: Shape,
    { body, options }: { readonly body?: object; readonly options: CallOptions | undefined },
  ): Promise<T> {
    return this.#transport.send('POST', path, {
      shape,
      ...(body && { body }),
      ...(options && { options }),
    });
  }
}

function subscription(id: string): string {
  return `/webhooks/${identifier(id)}`;
}

/** Anything else would be another route. */
function identifier(id: string): string {
  if (!/^\w+$/.test(id)) throw refuseInput('id', 'letters, digits and underscores');
  return id;
}
