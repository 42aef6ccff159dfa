import { createKey } from '../../../src/access/authentication/key-changes.ts';
import type { PlainConfig } from '../../support/plain-config.ts';
import type { Receiver } from '../../../src/sandbox/receiver/receiver.ts';
import type { ReceiverAnswer } from '../../../src/sandbox/receiver/script.ts';
import type { PrintedDelivery } from '../../../src/webhooks/delivery/delivery.ts';
import { startService, type StartOptions, type TestService } from '../../support/start-service.ts';
import { liveDay, ratesMoment } from './days.ts';
import { eventually } from '../../support/eventually.ts';
import { WebhookCaller } from './webhook-caller.ts';
import { setNow } from '../../support/sandbox/scripts.ts';

/** The day before {@link today}: published before the subscription is made. */
export const yesterday = '2025-07-31';
/** The day on which Romania moves three rates. */
export const today = '2025-08-01';
export const tomorrow = '2025-08-02';

/** Receivers on this machine, at any port. */
export const localReceivers: Partial<PlainConfig> = {
  webhookAllowHttp: true,
  webhookAllowCidrs: ['127.0.0.0/8'],
  webhookAllowPorts: Array.from({ length: 65_535 }, (_, at) => at + 1),
};

/** A service in scripted time that delivers to one subscribed receiver; yesterday is published. */
export class WebhookService {
  readonly service: TestService;
  readonly caller: WebhookCaller;
  readonly id: string;
  readonly receiver: Receiver;
  #probe: { readonly caller: WebhookCaller; readonly id: string } | undefined;

  static async start(
    options: StartOptions & { readonly answer?: ReceiverAnswer } = {},
  ): Promise<WebhookService> {
    const service = await startService({
      at: `${yesterday}T05:00:00Z`,
      fxFrom: '2025-07-01',
      ...options,
      config: { ...localReceivers, ...options.config },
    });
    await liveDay(service, yesterday);
    service.startDelivery();
    const caller = new WebhookCaller(service, service.key);
    const { id } = await caller.subscribe(service.sandbox, 'shop', options.answer);
    return new WebhookService(service, caller, id);
  }

  private constructor(service: TestService, caller: WebhookCaller, id: string) {
    this.service = service;
    this.caller = caller;
    this.id = id;
    this.receiver = service.sandbox.receivers.named('shop');
  }

  /** The current scripted time, as an ISO instant. */
  get now(): string {
    return new Date(this.service.sandbox.clock.now()).toISOString();
  }

  /** Publishes a day. */
  async publish(date: string): Promise<void> {
    await this.service.liveAt(ratesMoment(date));
  }

  /** Moves time to a moment; publishes nothing. */
  moveTo(moment: string): void {
    setNow(this.service.scenario, moment);
  }

  /** Restarts the service on the same data, and its delivery. */
  async restart(): Promise<void> {
    await this.service.restart();
    // As if an upstream had answered: until one confirms the clock, nothing is disabled or deleted (contract C17a).
    this.service.core.clockGuard.compare('tedb', this.service.sandbox.clock.now());
    this.service.startDelivery();
  }

  /**
   * Waits until the dispatcher has looked for due deliveries: an attempt that was due has begun by then.
   *
   * A receiver of another key is sent two tests. The dispatcher begins the second one only after the look that
   * began the first has ended.
   */
  async looked(): Promise<void> {
    const { caller, id } = (this.#probe ??= await this.#subscribeProbe());
    const { received } = this.service.sandbox.receivers.named('probe');
    for (let sent = 0; sent < 2; sent += 1) {
      const before = received.length;
      await caller.post(`/${id}/test`, {});
      await eventually(() => received.length > before);
    }
  }

  async #subscribeProbe() {
    const { db } = this.service.core;
    const limits = { rateLimit: 'none', quota: 'none' } as const;
    const { key } = await createKey(db, { name: 'probe', ...limits, at: this.now });
    const caller = new WebhookCaller(this.service, key);
    return { caller, ...(await caller.subscribe(this.service.sandbox, 'probe')) };
  }

  /** Starts the service again, and waits until it has looked for subscriptions to disable. */
  async restartAndMaintain(): Promise<void> {
    // A subscription that has failed for long enough. The pass that disables it also decides about all others.
    const row = {
      id: 'sub_hopeless',
      key_id: 'key_none',
      url: 'https://hopeless.example/',
      events: '[]',
      status: 'enabled' as const,
      created_at: '2000-01-01T00:00:00.000Z',
      enabled_at: '2000-01-01T00:00:00.000Z',
      exhausted_events: 2,
      failing: 1 as const,
    };
    await this.service.core.db.insertInto('webhook_subscriptions').values(row).execute();
    await this.restart();
    const hopeless = this.service.core.db
      .selectFrom('webhook_subscriptions')
      .select('status')
      .where('id', '=', row.id);
    await eventually(async () => (await hopeless.executeTakeFirstOrThrow()).status === 'disabled');
  }

  /** Waits until the newest delivery has this number of attempts, and returns it. */
  async attempted(times: number): Promise<PrintedDelivery> {
    let newest: PrintedDelivery | undefined;
    await eventually(async () => {
      [newest] = await this.caller.listDeliveries(this.id);
      return newest?.attempts.length === times;
    });
    return newest as PrintedDelivery;
  }

  /** The snapshot dates of the received events, in order of arrival. */
  get receivedDates(): readonly (string | null)[] {
    return this.receiver.received.map(({ body }) => {
      return (body as { readonly snapshotDate: string | null }).snapshotDate;
    });
  }

  /** The ids of the received events, each once. */
  get ids(): readonly (string | null)[] {
    return [...new Set(this.receiver.received.map(({ id }) => id))];
  }
}
