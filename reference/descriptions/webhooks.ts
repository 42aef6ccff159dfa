import { type TSchema, Type } from 'typebox';
import { dateSchema, described, instantSchema } from './common.ts';
import type { EventDescription, Reference } from './route-description.ts';
import { deliveryReference } from './deliveries.ts';
import { subscriptionReference } from './subscriptions.ts';

/** What the reference says of this feature's routes (contract C27). */
export const webhooksReference: Reference = { ...subscriptionReference, ...deliveryReference };

const retries =
  'Attempts come at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ±20 %. An event may arrive more than once; its id never changes.';

/** What is sent to subscribers (interface 6, contract C28); `changes` are the rows of `/changes`. */
export function describeEvents(changes: TSchema): Readonly<Record<string, EventDescription>> {
  return {
    'rates.changed': {
      summary: 'VAT rates have moved',
      description: `Sent once for a snapshot in which rates moved. When it arrives, \`/changes\` answers its rows already. ${retries}`,
      schema: Type.Object(
        {
          type: Type.Literal('rates.changed'),
          timestamp: described(instantSchema, 'When it happened.'),
          snapshotDate: described(dateSchema, 'The snapshot that it is about.'),
          changes: {
            ...changes,
            description: 'The rows as `/changes/{date}` answers them, to the byte.',
          },
          count: Type.Integer({ minimum: 1, description: 'How many rows there are.' }),
        },
        { $id: 'RatesChangedEvent' },
      ),
    },
    'webhook.test': {
      summary: 'A test that you asked for',
      description: `The form of the real event, about nothing. ${retries}`,
      schema: Type.Object(
        {
          type: Type.Literal('webhook.test'),
          timestamp: described(instantSchema, 'When it was asked for.'),
          snapshotDate: Type.Null(),
          changes: Type.Array(Type.Never(), { maxItems: 0 }),
          count: Type.Literal(0),
        },
        { $id: 'WebhookTestEvent' },
      ),
    },
  };
}
