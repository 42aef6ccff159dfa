import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { Db } from '../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../platform/database/unavailable.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Proxy } from '../../platform/upstream/proxy.ts';
import { type Clock, formatInstant } from '../../platform/time/time.ts';
import type { AttemptResult, Verdict } from './delivery-results.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { findEvent } from './store.ts';
import { type EventSources, printBody } from '../../events/event-types.ts';
import { nextAttemptDelayMs } from './retry-schedule.ts';
import type { SecretKeys } from '../../platform/encryption/secret-keys.ts';
import { attemptDelivery, type Sent } from './http-sender.ts';
import { prepareSecret, type SigningKey } from '../signature.ts';
import { parseReceiverHeaders, type ReceiverHeaders } from '../subscriptions/receiver-headers.ts';
import { findSecrets } from '../subscriptions/secret-store.ts';

/** Only this many of the newest secrets sign, even if more were rotated within one overlap. */
const signingSecretsMax = 4;
const remembered = { bodies: 50, signingKeys: 20_000 } as const;

/** The body of an event, or the `error` of an attempt that has no body. */
type Body = { readonly bytes: Buffer } | { readonly error: string };

const notFound: Body = { error: 'event not found' };

export type AttemptParts = EventSources & {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Its connector is the SSRF guard (contract C30). */
  readonly dispatcher: Dispatcher;
  /** WEBHOOK_PROXY, which the dispatcher then uses. */
  readonly proxy?: Proxy | undefined;
  readonly secretKeys: Pick<SecretKeys, 'open'>;
  /** Waits before each attempt, the first included. */
  readonly scheduleSeconds: readonly number[];
  /** At least 0, less than 1. */
  readonly random: () => number;
};

/** Attempts claimed deliveries: makes their bodies, opens their signing secrets, and sends them. */
export class DeliveryAttempts {
  readonly #parts: AttemptParts;
  /** As texts: a small buffer that is kept holds a block of 64 KB, of which Node gives parts to others. */
  readonly #bodies = new LRUCache<string, string>({ max: remembered.bodies });
  /** By encrypted secret. Decrypting one costs more than signing with it. */
  readonly #signingKeys = new LRUCache<string, SigningKey>({
    maxSize: remembered.signingKeys,
    sizeCalculation: () => 1,
  });

  constructor(parts: AttemptParts) {
    this.#parts = parts;
  }

  /** Reads the bodies of events again. */
  forgetBodies(): void {
    this.#bodies.clear();
  }

  /**
   * Begins one attempt for each delivery; the promises in the result never reject. If the body cannot be made or
   * the secrets or the headers cannot be opened, nothing is sent, the attempt has failed, and the schedule continues.
   * Throws if the database is unavailable.
   */
  async begin(deliveries: readonly ClaimedDelivery[]): Promise<Promise<AttemptResult>[]> {
    const { db, clock } = this.#parts;
    const subscriptionIds = [...new Set(deliveries.map(({ subscriptionId }) => subscriptionId))];
    const secrets = await findSecrets(db, subscriptionIds, formatInstant(clock.now()));
    const bodies = new Map<string, Body>();
    for (const { eventId } of deliveries) {
      if (!bodies.has(eventId)) bodies.set(eventId, await this.#findBody(eventId));
    }
    return deliveries.map(async (delivery) => {
      const sealed = (secrets.get(delivery.subscriptionId) ?? []).slice(0, signingSecretsMax);
      const sent = await this.#send(delivery, sealed, bodies.get(delivery.eventId) ?? notFound);
      const verdict = this.#judge(delivery, sent);
      this.#observe(delivery, sent, verdict);
      return { delivery, attempt: sent.attempt, verdict };
    });
  }

  async #send(
    { url, eventId, subscriptionId, sealedHeaders = null }: ClaimedDelivery,
    sealed: readonly string[],
    body: Body,
  ): Promise<Sent> {
    if ('error' in body) return this.#endUnsent(body.error);
    const signingKeys = this.#openSecrets(subscriptionId, sealed);
    // Nothing is sent unsigned. An operator has as long as the schedule lasts to restore the key.
    if (signingKeys === undefined) return this.#endUnsent('signing secret not readable');
    const headers = this.#openHeaders(subscriptionId, sealedHeaders);
    if (headers === undefined) return this.#endUnsent('headers not readable');
    return attemptDelivery(this.#parts, { url, eventId, body: body.bytes, signingKeys, headers });
  }

  #endUnsent(error: string): Sent {
    const at = formatInstant(this.#parts.clock.now());
    const attempt = { at, statusCode: undefined, durationMs: 0, error };
    return { attempt, retryAfterSeconds: undefined };
  }

  #judge(delivery: ClaimedDelivery, { attempt, retryAfterSeconds }: Sent): Verdict {
    const { statusCode = 0 } = attempt;
    if (statusCode >= 200 && statusCode < 300) return { kind: 'succeeded' };
    if (statusCode === 410) return { kind: 'gone' };
    const { scheduleSeconds, random, clock } = this.#parts;
    const delayMs = nextAttemptDelayMs({
      scheduleSeconds,
      attemptsMade: delivery.attemptsMade + 1,
      random: random(),
      retryAfterSeconds,
    });
    if (delayMs === undefined) return { kind: 'exhausted' };
    return { kind: 'retry', dueAt: formatInstant(clock.now() + delayMs) };
  }

  #observe(delivery: ClaimedDelivery, { attempt, proxyFailure }: Sent, { kind }: Verdict): void {
    const { metrics, log } = this.#parts;
    metrics.webhookAttempts.inc({ outcome: kind });
    metrics.webhookSeconds.observe(attempt.durationMs / 1_000);
    const { id: deliveryId, subscriptionId, eventId } = delivery;
    const { statusCode = null, durationMs, error = null } = attempt;
    const fields = { deliveryId, subscriptionId, eventId, statusCode, durationMs, error };
    if (proxyFailure !== undefined) log.warn({ reason: proxyFailure }, 'WEBHOOK_PROXY failed');
    if (kind === 'succeeded') log.debug(fields, 'webhook delivered');
    else if (kind === 'retry') log.info(fields, 'webhook attempt failed');
    else log.warn(fields, 'webhook given up');
  }

  /** Undefined if a secret cannot be opened, or the subscription was removed meanwhile. */
  #openSecrets(subscriptionId: string, sealed: readonly string[]): SigningKey[] | undefined {
    try {
      const keys = sealed.map((secret) => this.#openSecret(subscriptionId, secret));
      return keys.length === 0 ? undefined : keys;
    } catch (error) {
      this.#parts.log.error({ err: error, subscriptionId }, 'signing secret not readable');
      return undefined;
    }
  }

  #openSecret(subscriptionId: string, sealed: string): SigningKey {
    const known = this.#signingKeys.get(sealed);
    if (known !== undefined) return known;
    const key = prepareSecret(this.#parts.secretKeys.open(sealed, subscriptionId));
    this.#signingKeys.set(sealed, key);
    return key;
  }

  /** Undefined if they cannot be opened. */
  #openHeaders(subscriptionId: string, sealed: string | null): ReceiverHeaders | undefined {
    if (sealed === null) return [];
    try {
      return parseReceiverHeaders(this.#parts.secretKeys.open(sealed, subscriptionId));
    } catch (error) {
      this.#parts.log.error({ err: error, subscriptionId }, 'headers not readable');
      return undefined;
    }
  }

  async #findBody(eventId: string): Promise<Body> {
    const known = this.#bodies.get(eventId);
    if (known !== undefined) return { bytes: Buffer.from(known) };
    try {
      const event = await findEvent(this.#parts.db, eventId);
      // A test is deleted with its subscription, which may have happened since the claim.
      if (event === undefined) return notFound;
      const text = await printBody(event, this.#parts);
      this.#bodies.set(eventId, text);
      return { bytes: Buffer.from(text) };
    } catch (error) {
      // The deliveries become due again when their claims end.
      if (isDatabaseUnavailable(error)) throw error;
      this.#parts.log.error({ err: error, eventId }, 'event not readable');
      return { error: 'event not readable' };
    }
  }
}
