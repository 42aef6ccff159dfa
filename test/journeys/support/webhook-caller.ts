import type { ReceiverAnswer } from '../../../src/sandbox/receiver/script.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { PrintedDelivery } from '../../../src/webhooks/delivery/delivery.ts';
import type { PrintedSubscription } from '../../../src/webhooks/subscriptions/subscription.ts';

type Subscribed = Omit<PrintedSubscription, 'keyId'> & { readonly secret: string };

/** Manages webhooks over HTTP with one key, as a caller does. */
export class WebhookCaller {
  readonly #server: { readonly apiUrl: string };
  readonly #key: string;

  /** The address is read at each request: it changes when a service is restarted. */
  constructor(server: { readonly apiUrl: string }, key: string) {
    this.#server = server;
    this.#key = key;
  }

  /** Subscribes a receiver of the sandbox, by default to the default events; it then verifies with the new secret. */
  async subscribe(
    sandbox: Sandbox,
    name: string,
    answer: ReceiverAnswer = {},
    events?: readonly string[],
  ): Promise<Subscribed> {
    const wanted = { url: sandbox.receiverUrl(name), events };
    const created = await this.post<Subscribed>('', wanted, 201);
    sandbox.receivers.named(name).apply({ secrets: [created.secret], answer });
    return created;
  }

  /** Newest first. */
  async listDeliveries(id: string): Promise<readonly PrintedDelivery[]> {
    const { deliveries } = await this.#request<{ readonly deliveries: PrintedDelivery[] }>(
      'GET',
      `/${id}/deliveries?limit=200`,
      undefined,
      200,
    );
    return deliveries;
  }

  async enable(id: string): Promise<PrintedSubscription> {
    return this.#request('PATCH', `/${id}`, { status: 'enabled' }, 200);
  }

  async disable(id: string): Promise<PrintedSubscription> {
    return this.#request('PATCH', `/${id}`, { status: 'disabled' }, 200);
  }

  /** Sends a POST below `/webhooks`; throws if the answer has another status. */
  async post<T>(path: string, body: object, status = 202): Promise<T> {
    return this.#request('POST', path, body, status);
  }

  async #request<T>(
    method: string,
    path: string,
    body: object | undefined,
    status: number,
  ): Promise<T> {
    const response = await fetch(`${this.#server.apiUrl}/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== status) {
      throw new Error(`${method} /webhooks${path}: ${response.status}, not ${status}: ${text}`);
    }
    return JSON.parse(text) as T;
  }
}
