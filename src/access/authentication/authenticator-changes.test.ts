import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openAuthenticator, refusal } from '../../../test/support/open-authenticator.ts';
import { countOf, reportFigure } from '../../../test/support/proof.ts';
import { storeKeys } from '../../../test/support/stored-keys.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import { createKey, revokeKey } from './key-changes.ts';

const at = '2026-11-20T07:00:00.000Z';

describe('Authenticator after a change of one key (contract C25)', () => {
  const count = countOf({ full: 10_000, perCommit: 300 });

  it(`reads the secrets of that key again, and none of ${count} others`, async () => {
    let rowsRead = 0;
    const { otherDb, watch, check } = await openAuthenticator('none', async (rows) => {
      rowsRead += rows;
      return Promise.resolve();
    });
    const keys = await storeKeys(otherDb, count, at);
    const changed = await createKey(otherDb, { name: 'changed', at });
    await watch.poll();
    const authenticate = async (key: string): Promise<string | null> =>
      check('Authorization', `Bearer ${key}`);
    for (const key of [...keys, changed.key]) await authenticate(key);
    expect(rowsRead).toBe(count + 1);

    await revokeKey(otherDb, changed.id, { at });
    await watch.poll();
    await expect(authenticate(changed.key)).rejects.toMatchObject(refusal);
    for (const key of keys) await authenticate(key);

    const readAgain = rowsRead - count - 1;
    reportFigure(
      'R22',
      `one of ${count + 1} remembered keys changed: ${readAgain} secrets read again`,
    );
    // By the authenticator itself, and by the request that came before that read ended.
    expect(readAgain).toBeLessThanOrEqual(2);
  });

  it('reads all keys again if it is unknown which one changed', async () => {
    const { otherDb, watch, check } = await openAuthenticator();
    const { id, key } = await createKey(otherDb, { name: 'shop', at });
    await watch.poll();
    expect(await check('Authorization', `Bearer ${key}`)).toBe(id);
    await otherDb.updateTable('api_keys').set({ revoked_at: at }).execute();
    await otherDb.transaction().execute(async (tx) => bumpRevision(tx, 'keys'));

    await watch.poll();

    await expect(check('Authorization', `Bearer ${key}`)).rejects.toMatchObject(refusal);
  });

  it('does not recall a key after its change, and still recalls others, also on the same connection', async () => {
    const { otherDb, watch, authenticator, check } = await openAuthenticator();
    const keys = [
      await createKey(otherDb, { name: 'changed', at }),
      await createKey(otherDb, { name: 'other', at }),
    ] as const;
    await watch.poll();
    const request = { socket: new Socket() } as IncomingMessage;
    const recalled = (): (string | undefined)[] =>
      keys.map(({ key }) => authenticator.recall(request, `Bearer ${key}`)?.id);
    expect(recalled()).toEqual([undefined, undefined]);
    for (const { key } of keys) await check('Authorization', `Bearer ${key}`);
    expect(recalled()).toEqual(keys.map(({ id }) => id));

    await revokeKey(otherDb, keys[0].id, { at });
    await watch.poll();

    expect(recalled()).toEqual([undefined, keys[1].id]);
  });
});
