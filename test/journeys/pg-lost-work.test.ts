import { describe, expect, it } from 'vitest';
import type { Db } from '../../src/platform/database/database.ts';
import { BlockSharing } from '../../src/vat-check/calls/block-sharing.ts';
import { createBatch } from '../../src/vat-check/stored/batches/create-batch.ts';
import { beginFileBatch } from '../../src/vat-check/stored/batches/file-batch.ts';
import { createCheck } from '../../src/vat-check/stored/create-check.ts';
import { OpenCharges } from '../../src/vat-check/stored/open-charges.ts';
import { requestTest } from '../../src/webhooks/delivery/replays.ts';
import { writeResults } from '../../src/webhooks/delivery/delivery-results.ts';
import { claimDue } from '../../src/webhooks/delivery/store.ts';
import { insertSubscription } from '../../src/webhooks/subscriptions/store.ts';
import { eventually } from '../support/eventually.ts';
import { reuseUnsigned } from '../support/stored-checks.ts';
import {
  claimsOf,
  keepLog,
  noon,
  pendingTo,
  resultOf,
  storeDeliveries,
  storedSubscription,
  storeKey,
  storeSubscription,
} from '../support/stored-webhooks.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { WatchWorld } from '../vat-check/support/watch-world.ts';
import { doAgain, losses, openLossy } from './support/lossy-database.ts';
import { settingsOf, startReplica } from './support/pg-replicas.ts';

const nowMs = Date.parse(noon);
const sent = { idempotencyKey: 'order 1', bodyDigest: 'a' };
const asked = {
  echo: { countryCode: 'DE', vatNumber: 'DE 811115368' },
  vatNumber: { registryCode: 'DE' as const, number: '811115368' },
  requester: undefined,
  trader: {},
  hint: null,
  reference: null,
  maxAgeSeconds: 0,
  expiresInHours: 72,
};
const at = { nowMs, onReused: reuseUnsigned };

/** Creates something for a key, with a function that charges it. */
type Create = (db: Db, charge: (count: number) => void, charges: OpenCharges) => Promise<unknown>;

const creations: readonly (readonly [what: string, checks: number, create: Create])[] = [
  [
    'a check',
    1,
    async (db, charge, charges) => {
      const wanted = { keyId: 'key_a', request: { ...asked, waitSeconds: 0 }, idempotency: sent };
      const chargeQuery = () => charge(1);
      return createCheck(db, { ...wanted, chargeQuery }, { nowMs, claim: undefined, charges });
    },
  ],
  [
    'a batch',
    2,
    async (db, charge, charges) => {
      const items = [
        { ...asked, kind: 'check' as const },
        { ...asked, kind: 'check' as const },
      ];
      const wanted = { keyId: 'key_a', items, idempotency: sent, chargeQueries: charge };
      return createBatch(db, wanted, { ...at, charges });
    },
  ],
];

describe.skipIf(!isPostgresql)('stored checks, if the acknowledgement of a COMMIT is lost', () => {
  for (const [what, checks, create] of creations) {
    it.each(losses)(`${what} is stored and charged once ($what)`, async ({ cut, thenRefuse }) => {
      const lossy = await openLossy();
      await storeKey(lossy.direct);
      const charges = new OpenCharges();
      let charged = 0;
      const charge = (count: number): void => void (charged += count);
      lossy.proxy.cut(cut, /into "vat_checks"/, { thenRefuse });

      await doAgain(lossy, async () => create(lossy.db, charge, charges));

      expect(lossy.proxy.cutOff).toHaveLength(1);
      expect(charged).toBe(checks);
      expect(await countOf(lossy.direct, 'vat_checks')).toBe(checks);
    });
  }

  it.each(losses)('the batch of a file is stored once ($what)', async ({ cut, thenRefuse }) => {
    const lossy = await openLossy();
    lossy.proxy.cut(cut, /into "vat_checks"/, { thenRefuse });
    const file = { digest: 'd', items: [{ ...asked, kind: 'check' as const }] };

    await doAgain(lossy, async () => beginFileBatch(lossy.db, file, at));

    expect(await countOf(lossy.direct, 'vat_check_batches')).toBe(1);
  });

  it.each(losses)('a watch takes a slot once ($what)', async ({ cut, thenRefuse }) => {
    const { db, direct, proxy } = await openLossy();
    const world = await WatchWorld.open(db);
    await world.put();
    proxy.cut(cut, /into "vat_checks"/, { thenRefuse });

    await world.pass().catch(() => proxy.heal());
    // A claim that could not be given back ends after 30 s.
    await expect
      .poll(async () => {
        await world.run(10_000, 5_000);
        return world.queriedAt().length;
      })
      .toBe(1);

    expect(proxy.cutOff).toHaveLength(1);
    expect(world.charges).toEqual(['key_a']);
    expect(await countOf(direct, 'vat_checks')).toBe(1);
  });
});

describe.skipIf(!isPostgresql)('webhooks, if the acknowledgement of a COMMIT is lost', () => {
  it.each(losses)('an attempt is written once ($what)', async ({ cut, thenRefuse }) => {
    const lossy = await openLossy();
    const { db, direct, proxy } = lossy;
    await storeSubscription(direct, { id: 'sub_a' });
    await storeDeliveries(direct, ...pendingTo('sub_a', 2));
    const claimed = await claimDue(db, claimsOf());
    const results = claimed.map((delivery) => resultOf(delivery, { kind: 'exhausted' }));
    proxy.cut(cut, /into "webhook_attempts"/, { thenRefuse });

    await doAgain(lossy, async () => writeResults(db, results));

    expect(await countOf(direct, 'webhook_attempts')).toBe(2);
    expect(await storedSubscription(direct, 'sub_a')).toMatchObject({ exhausted_events: 2 });
  });

  it.each(losses.filter(({ thenRefuse }) => !thenRefuse))(
    'a test is sent once ($what)',
    async ({ cut }) => {
      const { db, direct, proxy } = await openLossy();
      await storeSubscription(direct, { id: 'sub_a' });
      proxy.cut(cut, /into "webhook_deliveries"/);

      const requested = await requestTest(db, { id: 'sub_a', keyId: 'key_a' }, noon);

      const deliveries = await direct.selectFrom('webhook_deliveries').select('id').execute();
      expect(deliveries).toEqual([{ id: requested.kind === 'done' ? requested.deliveryId : '' }]);
    },
  );

  it.each(losses.filter(({ thenRefuse }) => !thenRefuse))(
    'a subscription is created once, and its creator gets it ($what)',
    async ({ cut }) => {
      const { db, direct, proxy } = await openLossy();
      await storeKey(direct);
      const url = new URL('https://shop.example/');
      const given = { url, events: ['rates.changed'] as const, description: null };
      const wanted = { ...given, keyId: 'key_a', at: noon, seal: () => 'sealed' };
      proxy.cut(cut, /into "webhook_subscriptions"/);

      const created = await insertSubscription(db, wanted);

      const stored = await direct.selectFrom('webhook_subscriptions').select('id').execute();
      expect(stored).toEqual([{ id: created?.id }]);
      expect(await countOf(direct, 'audit')).toBe(1);
    },
  );
});

describe.skipIf(!isPostgresql)('a server, if the acknowledgement of a COMMIT is lost', () => {
  it.each(losses)('publishes a version once ($what)', async ({ cut, thenRefuse }) => {
    const { direct, proxy } = await openLossy();
    const { server } = await startReplica(await settingsOf(proxy.url));
    proxy.cut(cut, /into "rate_snapshots"/, { thenRefuse });

    const { rates } = server.core.jobs;
    await rates.refresh(0).catch(() => {});
    proxy.heal();
    await expect.poll(async () => (await rates.refresh(0))?.at(-1)?.outcome).toBe('unchanged');

    expect(proxy.cutOff).toHaveLength(1);
    const runs = await direct
      .selectFrom('runs')
      .select('published')
      .where('job', '=', 'rates')
      .execute();
    const published = runs.reduce((sum, run) => sum + run.published, 0);
    expect(published).toBe(await countOf(direct, 'rate_snapshots'));
    const events = await direct
      .selectFrom('events')
      .select(['snapshot_date', 'position'])
      .execute();
    expect(new Set(events.map((event) => event.snapshot_date)).size).toBe(events.length);
  });

  it.each(losses)('writes one line about a block by VIES ($what)', async ({ cut, thenRefuse }) => {
    const { db, proxy } = await openLossy();
    const { lines, log } = keepLog();
    const sharing = new BlockSharing({ db, log });
    const block = { untilMs: nowMs, openings: 1, reason: 'refused' };
    proxy.cut(cut, /"registry_blocks" set/, { thenRefuse });

    sharing.share({ kind: 'opened', block });
    await eventually(() => proxy.cutOff.length === 1);
    proxy.heal();
    await eventually(() => blockLines(lines) > 0);
    await sharing.stop();

    expect(blockLines(lines)).toBe(1);
  });
});

function blockLines(lines: readonly Record<string, unknown>[]): number {
  return lines.filter(({ msg }) => String(msg).startsWith('VIES blocks this service')).length;
}

type Counted = 'rate_snapshots' | 'vat_checks' | 'vat_check_batches' | 'webhook_attempts' | 'audit';

async function countOf(db: Db, table: Counted): Promise<number> {
  const counted = db.selectFrom(table).select((e) => e.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}
