export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One HTTP request of a delivery, and how it ended. */
export type Attempt = {
  readonly at: string;
  /** Null if there was no answer. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** Why there was no answer; null if there was one. */
  readonly error: string | null;
};

/** One event to one subscription (contract C27). */
export type Delivery = {
  readonly id: string;
  readonly eventId: string;
  /** An event type. */
  readonly type: string;
  readonly status: DeliveryStatus;
  /** Null if no further attempt is scheduled, or while the subscription is disabled. */
  readonly nextAttemptAt: string | null;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
};

/** A delivery that only this process may attempt until its claim ends. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly subscriptionId: string;
  /** The key of the subscription. */
  readonly keyId: string;
  readonly eventId: string;
  readonly url: string;
  /** Failed attempts of this round: since the event, or since the last replay. */
  readonly attemptsMade: number;
  /** The claim; results of an older claim are not applied. */
  readonly claim: string;
};
