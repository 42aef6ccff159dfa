import type { EventType } from '../event.ts';

/**
 * Why a subscription is disabled: its caller or an operator said so; the receiver answered 410; two events were
 * given up and nothing has arrived for five days; the key that it belongs to has ended.
 */
export type DisabledReason = 'requested' | 'operator' | 'gone' | 'failing' | 'key ended';

/** A caller's wish to be told of events at a URL (contract C27). */
export type Subscription = {
  readonly id: string;
  readonly keyId: string;
  readonly url: string;
  readonly events: readonly EventType[];
  /** What the caller noted; null for nothing. */
  readonly description: string | null;
  readonly status: 'enabled' | 'disabled';
  /** Null while it is enabled. */
  readonly disabledReason: string | null;
  readonly createdAt: string;
};

/** Subscriptions of one key (contract C27). */
export const subscriptionsMax = 10;
