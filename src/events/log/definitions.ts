import { optional, text } from '../../platform/fields/field.ts';
import { boolean, describe, list, object, string, union } from '../../platform/fields/schema.ts';
import { defineRoute } from '../../platform/http/routes/define-route.ts';
import {
  limitParameter,
  waitSecondsParameter,
} from '../../platform/http/routes/list-parameters.ts';
import type { describeEvents } from '../event-schemas.ts';
import { subscribableTypes } from '../event-types.ts';
import { allTypes, eventPageLimits, parseTypes, typeNames, waitSecondsMax } from './log-query.ts';

const cursor = string({
  pattern: '^[A-Za-z0-9_-]{32}$',
  description: 'A place in the log. It is opaque: send it back unchanged.',
});

/** `after`: the handler reads the cursor, because it needs the secret of the log. */
export const after = text(
  string({ pattern: '^(now|[A-Za-z0-9_-]{32})$' }),
  'a cursor of this service',
  (given) => given,
);

const types = text(string(), `${typeNames.join(', ')}, separated by commas`, parseTypes);

/** Defines the route of the event log (rules E1 to E6); `events` are those that receivers get. */
export function listEvents(events: ReturnType<typeof describeEvents>) {
  return defineRoute({
    operation: 'listEvents',
    tag: 'Events',
    summary: 'Every event in order',
    access: 'limited',
    description: `The same events as webhooks send, with the same ids and fields, oldest first: \`rates.changed\` and \`categories.changed\` for every key, \`vat.checked\`, \`vat.changed\` and \`vat.watch_failed\` for the key that they belong to, if it has the scope \`checks\`. Follow \`nextCursor\` and you get every event exactly once; keep it, also from an empty page. Events about a check are deleted with the check. A cursor belongs to no key: another key of the same service reads its own events from there. A request counts against the rate limit only, also if it waits.`,
    query: {
      after: {
        field: optional(after),
        description:
          'The `cursor` of an event, or the `nextCursor` of a page. Without it, the page begins at the oldest stored event. `now` returns an empty page at the end of the log immediately.',
        example: 'now',
        when: 'The cursor is not from this service.',
      },
      type: {
        field: optional(types, allTypes),
        description: 'Only these types of events, separated by commas.',
        example: 'rates.changed,vat.changed',
        when: '`type` names an unknown type.',
      },
      limit: {
        ...limitParameter('events', eventPageLimits),
        description: `The largest number of events to return. Values above ${eventPageLimits.max} mean ${eventPageLimits.max}. A page of more than 1 MB ends earlier.`,
        when: '`limit` is not a positive integer.',
      },
      waitSeconds: {
        ...waitSecondsParameter(
          waitSecondsMax,
          'How long the request waits if there is no event yet. It returns as soon as one arrives.',
        ),
        example: 0,
        when: '`waitSeconds` is not in this range.',
      },
    },
    answer: {
      description: 'The events after the cursor.',
      schema: object(
        {
          events: list(union(subscribableTypes.map((type) => logged(events[type].schema)))),
          nextCursor: describe(cursor, 'Send it as `after` of the next request.'),
          hasMore: boolean({ description: 'Whether the next page has events already.' }),
        },
        { $id: 'EventPage' },
      ),
      cacheControl: ['no-store'],
    },
    errors: [
      {
        error: 'cursorExpired',
        when: 'Events after the cursor are deleted because of their age, or the cursor is later than the backup that the service was restored from. The `Link` header leads to the oldest stored event.',
        hasLink: true,
      },
    ],
  });
}

/** An event in the log: that of the webhook with its id and cursor in front. */
function logged({ properties }: { readonly properties: Parameters<typeof object>[0] }) {
  return object({
    id: string({
      pattern: '^evt_[0-9a-f]{24}$',
      description: 'The same as the `webhook-id` of its deliveries.',
    }),
    cursor,
    ...properties,
  });
}
