import { Type, type TSchema } from 'typebox';
import { eventPageLimits, waitSecondsMax } from '../../src/events/log/log-query.ts';
import { subscribableTypes } from '../../src/events/event-types.ts';
import { malformed, withDescription } from './common.ts';
import type { EventDescription, Reference } from './route-description.ts';

const cursorSchema = Type.String({
  pattern: '^[A-Za-z0-9_-]{32}$',
  description: 'A place in the log. It is opaque: send it back unchanged.',
});

/** Describes the route of the event log (rules E1 to E6); `events` are those that receivers get. */
export function describeEventLog(events: Readonly<Record<string, EventDescription>>): Reference {
  return {
    listEvents: {
      tag: 'Events',
      summary: 'Every event in order',
      access: 'limited',
      description: `The same events as webhooks send, with the same ids and fields, oldest first: \`rates.changed\` and \`categories.changed\` for every key, \`vat.checked\`, \`vat.changed\` and \`vat.watch_failed\` for the key that they belong to, if it has the scope \`checks\`. Follow \`nextCursor\` and you get every event exactly once; keep it, also from an empty page. Events about a check are deleted with the check. A cursor belongs to no key: another key of the same service reads its own events from there. A request counts against the rate limit only, also if it waits.`,
      parameters: [
        {
          name: 'after',
          in: 'query',
          description:
            'The `cursor` of an event, or the `nextCursor` of a page. Without it, the page begins at the oldest stored event. `now` returns an empty page at the end of the log immediately.',
          schema: Type.String({ pattern: '^(now|[A-Za-z0-9_-]{32})$' }),
          example: 'now',
        },
        {
          name: 'type',
          in: 'query',
          description: 'Only these types of events, separated by commas.',
          schema: Type.String(),
          example: 'rates.changed,vat.changed',
        },
        {
          name: 'limit',
          in: 'query',
          description: `The largest number of events to return. Values above ${eventPageLimits.max} mean ${eventPageLimits.max}. A page of more than 1 MB ends earlier.`,
          schema: Type.Integer({ minimum: 1, default: eventPageLimits.byDefault }),
          example: 20,
        },
        {
          name: 'waitSeconds',
          in: 'query',
          description:
            'How long the request waits if there is no event yet. It returns as soon as one arrives.',
          schema: Type.Integer({ minimum: 0, maximum: waitSecondsMax, default: 0 }),
          example: 0,
        },
      ],
      answer: {
        status: 200,
        description: 'The events after the cursor.',
        schema: Type.Object(
          {
            events: Type.Array(Type.Union(subscribableTypes.map((type) => logged(type, events)))),
            nextCursor: withDescription(cursorSchema, 'Send it as `after` of the next request.'),
            hasMore: Type.Boolean({ description: 'Whether the next page has events already.' }),
          },
          { $id: 'EventPage' },
        ),
        cacheControl: ['no-store'],
      },
      errors: [
        malformed('after', 'a cursor of this service', 'The cursor is not from this service.'),
        malformed(
          'type',
          `${subscribableTypes.join(', ')}, separated by commas`,
          '`type` names an unknown type.',
        ),
        { error: 'invalidLimit', when: '`limit` is not a positive integer.' },
        malformed(
          'waitSeconds',
          `a whole number from 0 to ${waitSecondsMax}`,
          '`waitSeconds` is not in this range.',
        ),
        {
          error: 'cursorExpired',
          when: 'Events after the cursor are deleted because of their age, or the cursor is later than the backup that the service was restored from. The `Link` header leads to the oldest stored event.',
          hasLink: true,
        },
      ],
    },
  };
}

/** The schema of an event in the log: that of the webhook with its id and cursor in front. */
function logged(type: string, events: Readonly<Record<string, EventDescription>>): TSchema {
  const { schema } = events[type] ?? {};
  if (schema === undefined) throw new Error(`${type} has no description`);
  const { properties } = schema as ReturnType<typeof Type.Object>;
  return Type.Object({
    id: Type.String({
      pattern: '^evt_[0-9a-f]{24}$',
      description: 'The same as the `webhook-id` of its deliveries.',
    }),
    cursor: cursorSchema,
    ...properties,
  });
}
