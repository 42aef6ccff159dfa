import type { EventType } from '../../events/event-types.ts';

/**
 * Why a subscription is disabled: its caller or an operator did it; the receiver answered 410; two events were
 * given up and no attempt has succeeded for five days; the key that it belongs to has ended.
 */
export const disabledReasons = ['requested', 'operator', 'gone', 'failing', 'key_ended'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** A caller's URL that receives events (contract C27). */
export type Subscription = {
  readonly id: string;
  readonly keyId: string;
  readonly url: string;
  readonly events: readonly EventType[];
  /** The caller's note. */
  readonly description: string | undefined;
  /** The names of the headers that its deliveries have; their values are not in it. */
  readonly headers: readonly string[];
  readonly status: 'enabled' | 'disabled';
  /** Undefined while it is enabled. */
  readonly disabledReason: string | undefined;
  readonly createdAt: string;
};

/** A subscription as API and commands print it: null for what is absent. */
export function printSubscription(subscription: Subscription) {
  const { description = null, disabledReason = null } = subscription;
  return { ...subscription, description, disabledReason };
}

export type PrintedSubscription = ReturnType<typeof printSubscription>;

/** Subscriptions of one key (contract C27). */
export const subscriptionsMax = 10;
