export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One HTTP request of a delivery, and how it ended. */
export type Attempt = {
  readonly at: string;
  /** Undefined if there was no answer. */
  readonly statusCode: number | undefined;
  readonly durationMs: number;
  /** Why there was no answer; undefined if there was one. */
  readonly error: string | undefined;
  /** Text from the start of an answer that refuses; undefined for any other attempt, and if it is not kept. */
  readonly answer?: string | undefined;
  /** The `Location` of a redirect; undefined without. */
  readonly location?: string | undefined;
};

/** One event to one subscription (contract C27). */
export type Delivery = {
  readonly id: string;
  readonly eventId: string;
  /** An event type. */
  readonly type: string;
  readonly status: DeliveryStatus;
  /** Undefined if no further attempt is scheduled, or while the subscription is disabled. */
  readonly nextAttemptAt: string | undefined;
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
  /** The headers of the subscription for this URL, encrypted; null without. */
  readonly sealedHeaders?: string | null;
  /** Failed attempts of this round: since the event, or since the last replay. */
  readonly attemptsMade: number;
  /** The claim; results of an older claim are not applied. */
  readonly claim: string;
};

/** A delivery as API and commands print it: null for what is absent. */
export function printDelivery(delivery: Delivery) {
  const { id, eventId, type, status, nextAttemptAt = null } = delivery;
  const attempts = delivery.attempts.map(printAttempt);
  return { id, eventId, type, status, nextAttemptAt, attempts };
}

export type PrintedDelivery = ReturnType<typeof printDelivery>;

function printAttempt(attempt: Attempt) {
  const { at, statusCode = null, durationMs } = attempt;
  const { error = null, answer = null, location = null } = attempt;
  return { at, statusCode, durationMs, error, answer, location };
}
