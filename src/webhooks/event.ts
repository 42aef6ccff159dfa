/** What a subscription can be for (interface 6). */
export const eventTypes = ['rates.changed'] as const;
export type EventType = (typeof eventTypes)[number];

/** What is delivered: also the event that a caller sends to themselves. */
export type DeliveredType = EventType | 'webhook.test';

/** Something that happened; its id never changes, however often it is told (contract C28). */
export type WebhookEvent = {
  readonly id: string;
  readonly type: DeliveredType;
  /** When it happened: an ISO instant. */
  readonly at: string;
  /** The date of the snapshot that it is about; null for a test. */
  readonly snapshotDate: string | null;
};

/** The rows of a snapshot date as `/changes/<date>` answers them. */
export type PrintedChanges = { readonly json: string; readonly count: number };

/** The body of `rates.changed`; `changes` is the text of the API's answer, to the byte (contract C28). */
export function printRatesChanged(event: WebhookEvent, changes: PrintedChanges): string {
  const head = JSON.stringify({
    type: event.type,
    timestamp: event.at,
    snapshotDate: event.snapshotDate,
  });
  return `${head.slice(0, -1)},"changes":${changes.json},"count":${changes.count}}`;
}

/** The body of `webhook.test`: the form of the real event, about nothing. */
export function printTest(event: WebhookEvent): string {
  const { type, at: timestamp, snapshotDate } = event;
  return JSON.stringify({ type, timestamp, snapshotDate, changes: [], count: 0 });
}
