import { joinJson } from '../platform/values/exact-json.ts';

/** An event as the outbox holds it; its id is the same in every attempt and replay (contract C28). */
export type StoredEvent = {
  readonly id: string;
  readonly type: string;
  /** When it happened: an ISO instant. */
  readonly at: string;
  /** The date of the snapshot that it is about; undefined if it is about none. */
  readonly snapshotDate: string | undefined;
  /** The stored body; undefined if it is made from other rows. */
  readonly body: string | undefined;
};

/** The rows of a snapshot date as `/changes/<date>` answers them. */
export type PrintedChanges = { readonly json: string; readonly count: number };

/** Data of other features that bodies are made from. */
export type EventSources = {
  readonly readChanges: (snapshotDate: string) => Promise<PrintedChanges>;
  /** The changes of a snapshot date as `/rates/<date>/categories/changes` answers them. */
  readonly readCategoryChanges: (snapshotDate: string) => Promise<PrintedChanges>;
};

type EventTypeRow = {
  /** Events of scope `public` go to the subscriptions of every key, events of scope `key` only to one key's. */
  readonly scope: 'public' | 'key';
  /**
   * Subscriptions that receive it: those that name it or name no events (`by default`), only those that name it (`by
   * name`), or none, because it is only sent on request (`never`).
   */
  readonly received: 'by default' | 'by name' | 'never';
  /** Prints the body of its deliveries; the same bytes each time (contract C28). */
  readonly printBody: (event: StoredEvent, sources: EventSources) => string | Promise<string>;
};

/** Prints the body that the event stores. */
function printStored({ id, body }: StoredEvent): string {
  if (body === undefined) throw new Error(`events: ${id} has no body`);
  return body;
}

/** Prints the changes of a snapshot: the text that the API answers, to the byte. */
async function printOfSnapshot(
  { type, at: timestamp, snapshotDate = '' }: StoredEvent,
  read: EventSources['readChanges'],
): Promise<string> {
  const { json, count } = await read(snapshotDate);
  return joinJson({ type, timestamp, snapshotDate }, `{"changes":${json},"count":${count}}`);
}

/** The table of event types. A new type is a row here. */
export const eventTypes = {
  'rates.changed': {
    scope: 'public',
    received: 'by default',
    printBody: async (event, { readChanges }) => printOfSnapshot(event, readChanges),
  },
  'categories.changed': {
    scope: 'public',
    received: 'by name',
    printBody: async (event, { readCategoryChanges }) =>
      printOfSnapshot(event, readCategoryChanges),
  },
  'vat.checked': { scope: 'key', received: 'by name', printBody: printStored },
  'vat.changed': { scope: 'key', received: 'by name', printBody: printStored },
  'vat.watch_failed': { scope: 'key', received: 'by name', printBody: printStored },
  'webhook.test': {
    scope: 'key',
    received: 'never',
    // It has the fields of `rates.changed`, so that a receiver's code for that event is tested.
    printBody: ({ type, at: timestamp }) =>
      JSON.stringify({ type, timestamp, snapshotDate: null, changes: [], count: 0 }),
  },
} as const satisfies Readonly<Record<string, EventTypeRow>>;

export type EventType = keyof typeof eventTypes;

const rows: Readonly<Record<string, EventTypeRow>> = eventTypes;
const names = Object.keys(eventTypes) as EventType[];

/** Types that a subscription may name. */
export const subscribableTypes: readonly EventType[] = names.filter(
  (name) => rows[name]?.received !== 'never',
);

/** Types of a scope that a subscription may name; these are the types of the event log. */
export function listTypes(scope: EventTypeRow['scope']): readonly EventType[] {
  return subscribableTypes.filter((name) => rows[name]?.scope === scope);
}

/** Types that a subscription receives if it names none. */
export const defaultTypes: readonly EventType[] = names.filter(
  (name) => rows[name]?.received === 'by default',
);

/** Prints the body of a stored event; throws if its type is not in the table. */
export async function printBody(event: StoredEvent, sources: EventSources): Promise<string> {
  const row = rows[event.type];
  if (row === undefined) throw new Error(`events: ${event.id} has the unknown type ${event.type}`);
  return row.printBody(event, sources);
}
