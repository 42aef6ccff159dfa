import type { EventType } from './event.ts';

/** Why a subscription is disabled. */
export const disabledReasons = {
  /** Its caller said so. */
  requested: 'requested',
  /** An operator said so. */
  operator: 'operator',
  /** The receiver answered 410. */
  gone: 'gone',
  /** Two events were given up and nothing has arrived for five days. */
  failing: 'failing',
  /** The key that it belongs to has ended. */
  keyEnded: 'key ended',
} as const;
export type DisabledReason = (typeof disabledReasons)[keyof typeof disabledReasons];

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
