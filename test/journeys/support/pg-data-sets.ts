import fc from 'fast-check';
import { type BasicKind, dataSetKinds } from '../../../src/platform/publication/data-set-kinds.ts';
import type { Tables } from '../../../src/platform/database/tables.ts';
import type { RateChange } from '../../../src/rates/diff.ts';
import { addDays, formatInstant, isoDate, type IsoDate } from '../../../src/platform/time/time.ts';
import { anyFxSnapshot, anySnapshot, canonicalDecimal } from '../../support/arbitraries.ts';

/** Texts whose order in a language differs from that of their bytes, and texts that drivers may damage. */
const awkward = [
  // Similar letters, in both cases.
  ...Array.from('aAbBzZäÄéßẞıİЖ中ك'),
  ...'a\u0308 e\u0301 ss a-b ab a_b 10 9 {} [] null NULL $1 \\n'.split(' '),
  '',
  'a b',
  // Characters with a meaning in SQL or JSON, and invisible ones.
  ...Array.from(' -_\'"\\%?\n\t\u007F\u0080\u00AD\u200B\u2028\uFEFF'),
  // The ends of the planes: UTF-16 sorts them in another order than UTF-8.
  ...Array.from('\uD7FF\uE000\uFFFD\uFFFF\u{10000}\u{1F600}\u{10FFFF}'),
];

/** Text that a caller or an operator may send. */
export const anyText: fc.Arbitrary<string> = fc
  .oneof(
    fc.constantFrom(...awkward),
    fc.array(fc.constantFrom(...awkward), { maxLength: 4 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  .map((text) => text.toWellFormed().replaceAll('\0', '\uFFFD'));

/** Few enough dates and moments for several rows to have the same. */
const day: fc.Arbitrary<IsoDate> = fc
  .integer({ min: 0, max: 8 })
  .map((days) => addDays(isoDate('2026-02-25'), days));
const instant = fc
  .integer({ min: 0, max: 5 })
  .map((n) => formatInstant(Date.parse('2026-02-25T07:00:00Z') + n * 1_001));
const mayBe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);

const change: fc.Arbitrary<RateChange> = fc.record({
  id: anyText,
  snapshotDate: day,
  country: fc.oneof(fc.constantFrom('AT', 'HU', 'ab'), anyText),
  field: fc.oneof(fc.constantFrom('standard', 'reduced[10]', 'reduced[9]'), anyText),
  old: mayBe(canonicalDecimal),
  new: mayBe(canonicalDecimal),
  detectedAt: instant,
});

const key: fc.Arbitrary<Tables['api_keys']> = fc.record({
  id: fc.oneof(fc.constantFrom('key_a', 'key_B'), anyText),
  name: anyText,
  rate_limit: fc.constantFrom('default', 'none', '60'),
  calls_per_day: fc.constantFrom('default', 'none', '60', null),
  quota: fc.constantFrom('default', 'none', '5000'),
  scopes: fc.constantFrom('read checks webhooks', 'read', 'webhooks'),
  requester: mayBe(anyText),
  further_requesters: mayBe(anyText),
  created_at: instant,
  expires_at: mayBe(instant),
  revoked_at: fc.constant(null),
});

const keyOf = fc.constantFrom('key_a', 'key_B');

const secret: fc.Arbitrary<Tables['key_secrets']> = fc.record({
  secret_hash: anyText,
  key_id: keyOf,
  created_at: instant,
  ends_at: mayBe(instant),
  last_used_at: mayBe(instant),
});

const use: fc.Arbitrary<Tables['key_use']> = fc.record({
  key_id: keyOf,
  use_date: day,
  requests: fc.nat(2_000_000_000),
});

const subscriptionId = fc.constantFrom('sub_a', 'sub_B', 'sub_é', 'sub_-', 'sub_b');

const subscription: fc.Arbitrary<Tables['webhook_subscriptions']> = fc.record({
  id: subscriptionId,
  key_id: keyOf,
  url: anyText,
  events: fc.constant('["rates.changed"]'),
  description: mayBe(anyText),
  status: fc.constantFrom('enabled', 'enabled', 'disabled'),
  disabled_reason: mayBe(anyText),
  created_at: instant,
  enabled_at: instant,
  last_success_at: mayBe(instant),
  exhausted_events: fc.nat(3),
  failing: fc.constantFrom(0, 1),
});

/** Ids of stored events. */
export const eventIds = ['evt_a', 'evt_B', 'evt_c', 'evt_D'] as const;

const delivery: fc.Arbitrary<Tables['webhook_deliveries']> = fc.record({
  id: fc.oneof(fc.constantFrom('dlv_a', 'dlv_B', 'dlv_-'), anyText),
  subscription_id: subscriptionId,
  event_id: fc.constantFrom(...eventIds),
  status: fc.constantFrom('pending', 'succeeded', 'failed'),
  created_at: instant,
  due_at: mayBe(instant),
  attempts_made: fc.nat(16),
  claim: fc.constant(null),
  claimed_until: fc.constant(null),
  replayed_at: mayBe(instant),
});

const attempt: fc.Arbitrary<Tables['webhook_attempts']> = fc.record({
  id: anyText,
  delivery_id: fc.constantFrom('dlv_a', 'dlv_B', 'dlv_-'),
  at: instant,
  status_code: mayBe(fc.integer({ min: 100, max: 599 })),
  duration_ms: fc.nat(),
  error: mayBe(anyText),
  answer: mayBe(anyText),
  location: mayBe(anyText),
});

const webhookSecret: fc.Arbitrary<Tables['webhook_secrets']> = fc.record({
  id: anyText,
  subscription_id: subscriptionId,
  sealed: anyText,
  created_at: instant,
  ends_at: mayBe(instant),
});

const auditEntry: fc.Arbitrary<Tables['audit']> = fc.record({
  id: anyText,
  at: instant,
  action: anyText,
  subject: anyText,
  detail: fc.dictionary(anyText, anyText, { maxKeys: 3 }).map((detail) => JSON.stringify(detail)),
  actor: mayBe(anyText),
  reason: mayBe(anyText),
});

const held = fc.record({
  kind: fc.constantFrom(...dataSetKinds),
  version: day,
  reasons: fc.array(anyText, { maxLength: 3 }),
  candidate: anyText,
  inputDigest: anyText,
  heldAt: instant,
});

const correction = fc.record({
  kind: fc.constantFrom(...dataSetKinds),
  version: day,
  field: anyText,
  stored: mayBe(canonicalDecimal),
  upstream: mayBe(canonicalDecimal),
});

/** Rows that differ in every unique column. */
function unique<T>(of: fc.Arbitrary<T>, by: (row: T) => string): fc.Arbitrary<T[]> {
  return fc.uniqueArray(of, { selector: by, maxLength: 8 });
}

/** Published snapshots of each data set. */
const snapshots = {
  rates: unique(anySnapshot, ({ version }) => version),
  fx: unique(anyFxSnapshot, ({ date }) => date),
} satisfies Record<BasicKind, fc.Arbitrary<unknown>>;

/** Data that a service may have stored. */
export const anyDataSet = fc.record({
  ...snapshots,
  backfilled: unique(anySnapshot, ({ version }) => version),
  changes: unique(change, ({ id }) => id).map((rows) => [
    // One for each rate of a day.
    ...new Map(
      rows.map((row) => [`${row.snapshotDate} ${row.country} ${row.field}`, row]),
    ).values(),
  ]),
  held: fc.array(held, { maxLength: 6 }),
  corrections: unique(correction, ({ kind, version, field }) => `${kind} ${version} ${field}`),
  rows: fc.record({
    api_keys: unique(key, ({ id }) => id),
    key_secrets: unique(secret, (row) => row.secret_hash),
    key_use: unique(use, (row) => `${row.use_date} ${row.key_id}`),
    webhook_subscriptions: unique(subscription, ({ id }) => id),
    webhook_deliveries: unique(delivery, ({ id }) => id).map((rows) => [
      // One for each event and subscription.
      ...new Map(rows.map((row) => [`${row.event_id} ${row.subscription_id}`, row])).values(),
    ]),
    webhook_attempts: unique(attempt, ({ id }) => id),
    webhook_secrets: unique(webhookSecret, ({ id }) => id),
    audit: unique(auditEntry, ({ id }) => id),
  }),
  query: fc.record({
    since: fc.option(day, { nil: undefined }),
    country: fc.option(fc.constantFrom('AT', 'HU', 'ab'), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 9 }),
  }),
  at: instant,
});

export type DataSet = typeof anyDataSet extends fc.Arbitrary<infer T> ? T : never;
