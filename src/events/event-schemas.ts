import { date, instant } from '../platform/fields/dates.ts';
import * as schema from '../platform/fields/schema.ts';
import type { ObjectSchema, Schema } from '../platform/fields/schema.ts';
import type { EventType } from './event-types.ts';

const { describe, integer, list, literal, nothing, object, oneOf, orNull } = schema;

/** The schemas of what events are about, which other features have. */
export type EventSubjects = {
  /** The rows of `/changes`. */
  readonly changes: Schema;
  readonly categoryChanges: Schema;
  readonly check: Schema;
  readonly watch: Schema;
};

/** A webhook event in the reference. */
export type EventDescription = {
  readonly summary: string;
  readonly description: string;
  readonly schema: ObjectSchema;
};

const retries =
  'The first attempt is made immediately, further attempts after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ±20 %. An event may arrive more than once; its id never changes.';

/** The events that are sent to receivers (interface 6, contract C28). */
export function describeEvents(
  subjects: EventSubjects,
): Readonly<Record<EventType, EventDescription>> {
  return {
    ...describeChanges(subjects),
    ...describeChecks(subjects),
    'webhook.test': describeTest(subjects),
  };
}

function describeChanges({ changes, categoryChanges }: EventSubjects) {
  const timestamp = describe(instant, 'When the changes were detected.');
  const snapshotDate = describe(date, 'The date of the snapshot.');
  return {
    'rates.changed': {
      summary: 'VAT rates have changed',
      description: `Sent once for each snapshot in which rates changed. When it arrives, \`/changes\` already contains its rows. It is silent about goods that move between two rates that a country keeps, so a shop subscribes to \`categories.changed\` as well. ${retries}`,
      schema: object(
        {
          type: literal('rates.changed'),
          timestamp,
          snapshotDate,
          changes: describe(changes, 'The same rows as in `/changes/{date}`, byte for byte.'),
          count: integer({ minimum: 1, description: 'The number of rows.' }),
        },
        { $id: 'RatesChangedEvent' },
      ),
    },
    'categories.changed': {
      summary: 'The rates of goods or services have changed',
      description: `Sent once for each snapshot in which rows by goods category have other rates, treatments or codes, to subscriptions that name this type. ${retries}`,
      schema: object(
        {
          type: literal('categories.changed'),
          timestamp,
          snapshotDate,
          changes: describe(
            categoryChanges,
            'The same as in `/rates/{date}/categories/changes`, byte for byte.',
          ),
          count: integer({ minimum: 1, description: 'The number of categories.' }),
        },
        { $id: 'CategoriesChangedEvent' },
      ),
    },
  };
}

function describeChecks({ check, watch }: EventSubjects) {
  return {
    'vat.checked': {
      summary: 'A stored check has ended',
      description: `Sent once for each of your stored checks when it is answered, rejected or expired, to subscriptions that name this type. Checks of watches are not reported, nor are checks of a batch that are rejected when it is stored. ${retries}`,
      schema: object(
        {
          type: literal('vat.checked'),
          timestamp: describe(instant, 'When the check ended.'),
          check,
        },
        { $id: 'VatCheckedEvent' },
      ),
    },
    'vat.changed': {
      summary: 'A watched number has changed',
      description: `Sent to subscriptions that name this type when \`valid\`, or a disclosed name or address, differs between two answers about a number that you watch. A change to false is sent after a second false answer at least one hour later. An outage is no answer. ${retries}`,
      schema: object(
        {
          type: literal('vat.changed'),
          timestamp: describe(instant, 'When the newer answer came.'),
          watch,
          previous: check,
          current: check,
          changed: list(oneOf(['valid', 'name', 'address']), {
            minItems: 1,
            description: 'The fields that differ.',
          }),
        },
        { $id: 'VatChangedEvent' },
      ),
    },
    'vat.watch_failed': {
      summary: 'A number is not watched at present',
      description: `Sent to subscriptions that name this type when a watch gets an \`error\`: the registry refuses its number or its requester, your key may not use the requester any more, or no quota is left. It is sent once until an answer about the number comes again. ${retries}`,
      schema: object(
        {
          type: literal('vat.watch_failed'),
          timestamp: describe(instant, 'When the check ended, or was not made.'),
          watch,
          check: orNull(
            check,
            'The check that the registry has refused; null if no check was made.',
          ),
        },
        { $id: 'VatWatchFailedEvent' },
      ),
    },
  };
}

function describeTest({ changes }: EventSubjects) {
  return {
    summary: 'A test that you requested',
    description: `The event has the form of a real event, without rows. ${retries}`,
    schema: object(
      {
        type: literal('webhook.test'),
        timestamp: describe(instant, 'When the test was requested.'),
        snapshotDate: nothing,
        changes: { ...changes, maxItems: 0, description: 'Always empty.' },
        count: literal(0),
      },
      { $id: 'WebhookTestEvent' },
    ),
  };
}
