import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/database/database.ts';
import { noon } from '../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { findSecrets, rotateSecret } from './secret-store.ts';
import { insertSubscription } from './store.ts';

/** Stores a subscription with its first secret; returns its id. */
async function insert(db: Db): Promise<string> {
  const seal = (id: string): string => `sealed for ${id}`;
  const url = new URL('https://shop.example/');
  const wanted = { keyId: 'key_a', url, events: [], description: null };
  return (await insertSubscription(db, { ...wanted, at: noon, seal }))?.id ?? '';
}

/** The secrets of a subscription that sign at a time of the day. */
async function secretsAt(db: Db, id: string, time: string) {
  return (await findSecrets(db, [id], `2026-11-20T${time}Z`)).get(id);
}

/** Gives a subscription a new secret at a time of the day; older secrets sign until another time. */
async function rotate(db: Db, id: string, sealed: string, at: string, until: string) {
  const overlapEndsAt = `2026-11-20T${until}Z`;
  const by = { at: `2026-11-20T${at}Z` };
  await rotateSecret(db, id, { by, seal: () => sealed, overlapEndsAt });
}

describe('rotateSecret (contract C27)', () => {
  it('lets both secrets sign until the overlap ends, the newer first', async () => {
    const db = await openTemporaryDatabase();
    const [id, otherId] = [await insert(db), await insert(db)];

    await rotate(db, id, 'second', '13:00:00.000', '15:00:00.000');

    const both = ['second', `sealed for ${id}`];
    expect(await secretsAt(db, id, '14:59:59.999')).toEqual(both);
    expect(await secretsAt(db, id, '15:00:00.000')).toEqual(['second']);
    expect(await secretsAt(db, otherId, '15:00:00.000')).toEqual([`sealed for ${otherId}`]);
  });

  it('ends older secrets immediately without an overlap', async () => {
    const db = await openTemporaryDatabase();
    const id = await insert(db);

    await rotate(db, id, 'second', '13:00:00.000', '13:00:00.000');

    expect(await secretsAt(db, id, '13:00:00.000')).toEqual(['second']);
  });

  it('can shorten an earlier overlap, and never makes it longer', async () => {
    const db = await openTemporaryDatabase();
    const id = await insert(db);
    await rotate(db, id, 'second', '13:00:00.000', '16:00:00.000');
    await rotate(db, id, 'third', '13:30:00.000', '18:00:00.000');
    const longer = [
      await secretsAt(db, id, '15:59:59.999'),
      await secretsAt(db, id, '16:00:00.000'),
    ];

    await rotate(db, id, 'fourth', '14:00:00.000', '15:00:00.000');

    expect(longer).toEqual([
      ['third', 'second', `sealed for ${id}`],
      ['third', 'second'],
    ]);
    expect(await secretsAt(db, id, '15:00:00.000')).toEqual(['fourth']);
  });

  it('deletes secrets that have ended, and no others', async () => {
    const db = await openTemporaryDatabase();
    const id = await insert(db);
    await rotate(db, id, 'second', '13:00:00.000', '14:00:00.000');
    await rotate(db, id, 'third', '14:00:00.000', '14:00:00.001');

    const rows = await db
      .selectFrom('webhook_secrets')
      .select('sealed')
      .orderBy('sealed')
      .execute();

    expect(rows.map(({ sealed }) => sealed)).toEqual(['second', 'third']);
  });
});

describe('findSecrets', () => {
  it('returns the secrets of the requested subscriptions', async () => {
    const db = await openTemporaryDatabase();
    const [id, , thirdId] = [await insert(db), await insert(db), await insert(db)];

    const found = await findSecrets(db, [id, thirdId], noon);

    const wanted = [id, thirdId].map((one) => [one, [`sealed for ${one}`]] as const);
    expect(found).toEqual(new Map(wanted));
  });

  it('returns nothing for a subscription without secrets', async () => {
    const db = await openTemporaryDatabase();

    expect(await findSecrets(db, ['sub_none'], noon)).toEqual(new Map());
  });
});
