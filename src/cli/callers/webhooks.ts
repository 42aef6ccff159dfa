import { formatInstant } from '../../platform/time/time.ts';
import { listRefusedRanges } from '../../webhooks/network/address-class.ts';
import { type Attempt, printDelivery } from '../../webhooks/delivery/delivery.ts';
import { type DeliveryCursor, listDeliveries } from '../../webhooks/delivery/delivery-log.ts';
import {
  findSubscription,
  listSubscriptions,
  updateSubscription,
} from '../../webhooks/subscriptions/store.ts';
import { printSubscription } from '../../webhooks/subscriptions/subscription.ts';
import { quote } from '../../platform/values/quote.ts';
import { vatfx } from '../../platform/vatfx.ts';
import type { Operator } from '../../platform/database/audit.ts';
import { changing, flag, type NamedCommand, reporting } from '../command/command.ts';
import type { Io } from '../command/io.ts';
import { CommandFailure, type Report } from '../command/report.ts';
import { listPages, type PageAfter, requireKnownKey } from '../running/listing.ts';
import { keyOption, limit } from '../command/options.ts';
import { withDatabase } from '../running/with-database.ts';

const list = reporting({
  words: 'list',
  says: 'the subscriptions of all keys',
  examples: ['webhooks list --key key_3f9a1c5be0d27748'],
  options: { key: keyOption },
  run: async (io, { options }) => {
    const subscriptions = await withDatabase(io, async ({ db }) => {
      await requireKnownKey(db, options.key);
      return listSubscriptions(db, options.key);
    });
    return {
      document: subscriptions.map(printSubscription),
      text: {
        rows: subscriptions.map((s) => ({
          id: s.id,
          key: s.keyId,
          status: s.status,
          reason: s.disabledReason ?? null,
          url: s.url,
          events: s.events.join(','),
          created: s.createdAt,
        })),
        empty: 'There are no subscriptions; callers make them with POST /webhooks.',
      },
    };
  },
});

const deliveries = reporting({
  words: 'deliveries <id>',
  says: 'the newest deliveries of a subscription, with the result of the last attempt',
  examples: ['webhooks deliveries sub_3f9a1c5be0d27748 --limit 5'],
  options: { limit },
  run: async (io, { argument: id, options }) => {
    const newest = await withDatabase(io, async ({ db }) => {
      if ((await findSubscription(db, id)) === undefined) throw unknown(id);
      const of = { subscriptionId: id, status: undefined };
      return listPages(
        options.limit,
        async ({ limit: count, cursor: after }: PageAfter<DeliveryCursor>) => {
          const page = await listDeliveries(db, { ...of, after, limit: count });
          return { rows: page.deliveries, next: page.next };
        },
      );
    });
    return {
      document: newest.map(printDelivery),
      text: {
        rows: newest.map((delivery) => {
          const last = delivery.attempts.at(-1);
          return {
            id: delivery.id,
            event: delivery.eventId,
            type: delivery.type,
            status: delivery.status,
            attempts: delivery.attempts.length,
            'last answer': last?.statusCode ?? last?.error ?? null,
            text: textOf(last),
            'next attempt': delivery.nextAttemptAt ?? null,
          };
        }),
        empty: `Nothing was delivered to ${id} yet.`,
      },
    };
  },
});

/** The answer of the receiver, on one line of a table. */
function textOf({ answer = '', location }: Partial<Attempt> = {}): string | null {
  return quote(location === undefined ? answer : `to ${location}`) || null;
}

/** The networks are for firewalls and proxies on the way (rule O2, contract C30). */
const networks = reporting({
  words: 'networks',
  says: 'the networks into which nothing is ever delivered, as CIDR, one on each line',
  examples: ['webhooks networks', 'webhooks networks --squid'],
  options: { squid: flag('as access rules of Squid, for WEBHOOK_PROXY') },
  run: async (_io, { options }) => {
    const { ipv4, ipv6 } = listRefusedRanges();
    return {
      document: [...ipv4, ...ipv6],
      text: (options.squid === true ? printSquidRules(ipv4, ipv6) : [...ipv4, ...ipv6]).join('\n'),
      note:
        'Without WEBHOOK_ALLOW_CIDRS and WEBHOOK_DENY_CIDRS. ISATAP addresses of all networks are refused as well, and an IPv4-mapped ' +
        'IPv6 address is judged as its IPv4 address. Squid takes ::/3 for all of IPv4: its rules are those of --squid.',
    };
  },
});

/**
 * Squid has IPv4 addresses as mapped ones, so `::/3` would deny all of them. It does not find `::` in a range with two ends. And
 * of two ranges of one list that it takes for nested it ignores the larger one, with no more than a warning: hence two lists.
 */
const unassignedWithoutMapped = [
  '::/96',
  '::1:0:0-::fffe:ffff:ffff',
  '::1:0:0:0-1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
];

function printSquidRules(ipv4: readonly string[], ipv6: readonly string[]): readonly string[] {
  const unmapped = ipv6.flatMap((range) => (range === '::/3' ? unassignedWithoutMapped : [range]));
  const half = Math.ceil(ipv4.length / 2);
  return [
    ...[ipv4.slice(0, half), ipv4.slice(half)].map((line) => `acl private4 dst ${line.join(' ')}`),
    `acl private6 dst ${unmapped.join(' ')}`,
    'http_access deny private4',
    'http_access deny private6',
  ];
}

const enable = changing({
  words: 'enable <id>',
  says: 'enable a subscription; its waiting deliveries are made now',
  examples: ['webhooks enable sub_3f9a1c5be0d27748'],
  run: async (io, { argument: id, by }) => setStatus(io, id, { status: 'enabled', by }),
});

const disable = changing({
  words: 'disable <id>',
  says: 'disable a subscription; due deliveries wait',
  examples: ['webhooks disable sub_3f9a1c5be0d27748'],
  run: async (io, { argument: id, by }) => setStatus(io, id, { status: 'disabled', by }),
});

export const webhookCommands: readonly NamedCommand[] = [
  list,
  deliveries,
  networks,
  enable,
  disable,
];

async function setStatus(
  io: Io,
  id: string,
  { status, by: operator }: { readonly status: 'enabled' | 'disabled'; readonly by: Operator },
): Promise<Report> {
  const changed = await withDatabase(io, async ({ db, clock }) =>
    updateSubscription(db, id, { status }, { at: formatInstant(clock.now()), operator }),
  );
  if (changed === undefined) throw unknown(id);
  return { document: { id, status }, text: `${id} is ${status}` };
}

function unknown(id: string): CommandFailure {
  return new CommandFailure(
    `there is no subscription ${id}; "${vatfx('webhooks list')}" lists them`,
  );
}
