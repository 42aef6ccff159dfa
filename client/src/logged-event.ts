import type { WebhookEvent } from './verify-webhook.ts';
import type { EventType } from './webhooks.ts';

/** An event with its place in the event log. The other fields are those of its webhook (rule E6). */
type InLog<Event> = Event extends WebhookEvent
  ? Event & {
      /** The place after this event. Store it when the event is handled, to continue there after a restart. */
      readonly cursor: string;
    }
  : never;

/** An event of the event log; `T` narrows it to some types. */
export type LoggedEvent<T extends EventType = EventType> = InLog<
  Extract<WebhookEvent, { readonly type: T }>
>;

/** The events to read. */
export type EventQuery<T extends EventType = EventType> = {
  /**
   * A stored cursor. Without it, reading begins with the oldest stored event; `now` reads only events that happen from
   * the first answer on.
   */
  readonly after?: string | undefined;
  /** The types to read; without it all types that the key may see. */
  readonly type?: T | readonly T[] | undefined;
  /** Events on a page: by default 100, at most 500. */
  readonly limit?: number | undefined;
  /** How long a request may wait if there is no event: 0 to 30. */
  readonly waitSeconds?: number | undefined;
};

/** A page of the event log, the oldest event first. */
export type EventPage<T extends EventType = EventType> = {
  readonly events: readonly LoggedEvent<T>[];
  /** The `after` of the next page; also of a page without events. */
  readonly nextCursor: string;
  /** Whether the next page has events already. */
  readonly hasMore: boolean;
};
