import type { Schema, Schemas } from './schema.ts';

const nothing: Schema = { type: 'null' };
const answered = ref('AnsweredCheck');
const ended = ref('EndedCheck');

/** Fields of events whose checks have ended, or have an answer. */
const checksOfEvents: Readonly<Record<string, Schemas>> = {
  VatCheckedEvent: { check: ended },
  VatChangedEvent: { previous: answered, current: answered },
  VatWatchFailedEvent: { check: { anyOf: [ended, nothing] } },
};

/**
 * Narrows the schemas of the document to what it says in words: which fields a stored check has in which status, and which
 * checks are in events.
 *
 * `events` are the schemas of the events that receivers get, by type. They get the `id` of the event, which receivers find in
 * the header `webhook-id`, and those of the event log a `cursor`.
 */
export function narrowSchemas(schemas: Schemas, events: Readonly<Record<string, string>>): Schemas {
  const { FxOfOss: ofReturn = {}, BankPublication: ofBank = {} } = schemas;
  return {
    ...schemas,
    // One type for both kinds of returns, which differ in the form of the period only.
    FxOfOss: {
      ...having(ofReturn, { rule: oneOf('oss', 'ioss') }),
      description:
        'The rates for an OSS or IOSS return: `GET /fx/oss/{period}`, `GET /fx/ioss/{period}`.',
    },
    // Callers make such snapshots of rates that they have stored, to convert with them.
    BankPublication: having(ofBank, { quote: { type: 'string' } }),
    ...narrowChecks(schemas),
    ...narrowEvents(schemas, events),
  };
}

function narrowChecks({ StoredCheck: stored = {} }: Schemas): Schemas {
  return {
    AnsweredCheck: {
      ...having(stored, {
        status: oneOf('answered'),
        requestDate: { type: 'string' },
        valid: { type: 'boolean' },
        error: nothing,
      }),
      description: 'A stored check with the answer of the registry.',
    },
    UnansweredCheck: {
      ...having(stored, {
        status: oneOf('pending', 'rejected', 'expired'),
        requestDate: nothing,
        valid: nothing,
        name: nothing,
        address: nothing,
        consultationNumber: nothing,
        traderMatch: nothing,
      }),
      description: 'A stored check without an answer: pending, rejected or expired.',
    },
    StoredCheck: {
      description: `${stored.description} Compare \`status\` first: only an answered check says whether the number is valid.`,
      anyOf: [answered, ref('UnansweredCheck')],
    },
    EndedCheck: {
      description: 'A stored check that will not change any more.',
      anyOf: [
        answered,
        { allOf: [ref('UnansweredCheck'), having({}, { status: oneOf('rejected', 'expired') })] },
      ],
    },
  };
}

function narrowEvents(schemas: Schemas, events: Readonly<Record<string, string>>): Schemas {
  const { EventPage: page = {}, Subscription: subscription = {} } = schemas;
  const { id, cursor } = page.properties?.['events']?.items?.anyOf?.[0]?.properties ?? {};
  const subscribable = subscription.properties?.['events']?.items?.enum ?? [];
  const logged = subscribable.map((type) => ref(events[String(type)] ?? ''));
  if (id === undefined || cursor === undefined) throw new Error('an event has no id or no cursor');
  return {
    ...Object.fromEntries(
      Object.values(events).map((name) => {
        return [name, having(schemas[name] ?? {}, { id, ...checksOfEvents[name] })];
      }),
    ),
    WebhookEvent: {
      anyOf: Object.values(events).map(ref),
      description: 'An event that a receiver gets.',
    },
    EventPage: having(page, {
      events: { type: 'array', items: { allOf: [{ anyOf: logged }, having({}, { cursor })] } },
    }),
  };
}

/** An object whose fields have other schemas, and keep their descriptions, and that has further fields in front. */
function having(schema: Schema, fields: Schemas): Schema {
  const { properties = {}, required = [] } = schema;
  const changed = Object.entries(fields).map(([name, field]) => {
    const { description } = properties[name] ?? {};
    return [name, { ...(description !== undefined && { description }), ...field }] as const;
  });
  return {
    ...schema,
    properties: { ...fields, ...properties, ...Object.fromEntries(changed) },
    required: [...required, ...Object.keys(fields)],
  };
}

function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
