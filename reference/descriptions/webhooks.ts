import { type TSchema, Type } from 'typebox';
import { categoryChanges } from '../../src/rates/categories/schemas.ts';
import { dateSchema, instantSchema, orNull, withDescription } from './common.ts';
import type { EventDescription } from './route-description.ts';
import { watchSchema } from '../../src/vat-check/watches/definitions.ts';
import { storedCheck as storedCheckSchema } from '../../src/vat-check/stored/check-schema.ts';

const retries =
  'The first attempt is made immediately, further attempts after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ±20 %. An event may arrive more than once; its id never changes.';

/** The events that are sent to receivers (interface 6, contract C28); `changes` is the schema of the rows of `/changes`. */
export function describeEvents(changes: TSchema): Readonly<Record<string, EventDescription>> {
  return {
    'rates.changed': {
      summary: 'VAT rates have changed',
      description: `Sent once for each snapshot in which rates changed. When it arrives, \`/changes\` already contains its rows. It is silent about goods that move between two rates that a country keeps, so a shop subscribes to \`categories.changed\` as well. ${retries}`,
      schema: Type.Object(
        {
          type: Type.Literal('rates.changed'),
          timestamp: withDescription(instantSchema, 'When the changes were detected.'),
          snapshotDate: withDescription(dateSchema, 'The date of the snapshot.'),
          changes: {
            ...changes,
            description: 'The same rows as in `/changes/{date}`, byte for byte.',
          },
          count: Type.Integer({ minimum: 1, description: 'The number of rows.' }),
        },
        { $id: 'RatesChangedEvent' },
      ),
    },
    'categories.changed': {
      summary: 'The rates of goods or services have changed',
      description: `Sent once for each snapshot in which rows by goods category have other rates, treatments or codes, to subscriptions that name this type. ${retries}`,
      schema: Type.Object(
        {
          type: Type.Literal('categories.changed'),
          timestamp: withDescription(instantSchema, 'When the changes were detected.'),
          snapshotDate: withDescription(dateSchema, 'The date of the snapshot.'),
          changes: {
            ...categoryChanges,
            description: 'The same as in `/rates/{date}/categories/changes`, byte for byte.',
          },
          count: Type.Integer({ minimum: 1, description: 'The number of categories.' }),
        },
        { $id: 'CategoriesChangedEvent' },
      ),
    },
    'vat.checked': {
      summary: 'A stored check has ended',
      description: `Sent once for each of your stored checks when it is answered, rejected or expired, to subscriptions that name this type. Checks of watches are not reported, nor are checks of a batch that are rejected when it is stored. ${retries}`,
      schema: Type.Object(
        {
          type: Type.Literal('vat.checked'),
          timestamp: withDescription(instantSchema, 'When the check ended.'),
          check: storedCheckSchema,
        },
        { $id: 'VatCheckedEvent' },
      ),
    },
    'vat.changed': {
      summary: 'A watched number has changed',
      description: `Sent to subscriptions that name this type when \`valid\`, or a disclosed name or address, differs between two answers about a number that you watch. A change to false is sent after a second false answer at least one hour later. An outage is no answer. ${retries}`,
      schema: Type.Object(
        {
          type: Type.Literal('vat.changed'),
          timestamp: withDescription(instantSchema, 'When the newer answer came.'),
          watch: watchSchema,
          previous: storedCheckSchema,
          current: storedCheckSchema,
          changed: Type.Array(Type.Enum(['valid', 'name', 'address']), {
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
      schema: Type.Object(
        {
          type: Type.Literal('vat.watch_failed'),
          timestamp: withDescription(instantSchema, 'When the check ended, or was not made.'),
          watch: watchSchema,
          check: orNull(
            storedCheckSchema,
            'The check that the registry has refused; null if no check was made.',
          ),
        },
        { $id: 'VatWatchFailedEvent' },
      ),
    },
    'webhook.test': {
      summary: 'A test that you requested',
      description: `The event has the form of a real event, without rows. ${retries}`,
      schema: Type.Object(
        {
          type: Type.Literal('webhook.test'),
          timestamp: withDescription(instantSchema, 'When the test was requested.'),
          snapshotDate: Type.Null(),
          changes: { ...changes, maxItems: 0, description: 'Always empty.' },
          count: Type.Literal(0),
        },
        { $id: 'WebhookTestEvent' },
      ),
    },
  };
}
