import type { EventPage as AnyPage, EventQuery as AnyQuery, EventType } from './api-types.ts';

/** An event with its place in the event log; `T` narrows it to some types. Its other fields are those of its webhook (rule E6). */
export type LoggedEvent<T extends EventType = EventType> = Extract<
  AnyPage['events'][number],
  { readonly type: T }
>;

/** The events to read. */
export type EventQuery<T extends EventType = EventType> = Omit<AnyQuery, 'type'> & {
  /** The types to read; without it all types that the key may see. */
  readonly type?: T | readonly T[] | undefined;
};

/** A page of the event log, the oldest event first. */
export type EventPage<T extends EventType = EventType> = Omit<AnyPage, 'events'> & {
  readonly events: readonly LoggedEvent<T>[];
};
