import { chownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noon, storeSubscription } from '../../../test/support/stored-webhooks.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../test/support/temporary-database.ts';
import { readConfig } from '../config/config.ts';
import { listAudit } from '../database/audit.ts';
import type { Db } from '../database/database.ts';
import { keyFileOf } from '../database/sqlite/embedded-file.ts';
import { idOfKey, open, opensWith, seal } from './secret-box.ts';
import { SecretKeys } from './secret-keys.ts';
import { rotateKeyFile, rotateTo } from './rotation.ts';

const old = Buffer.alloc(32, 1);
const next = Buffer.alloc(32, 2);
const [oldText, nextText] = [old, next].map((key) => key.toString('hex')) as [string, string];
const refuse = async (): Promise<void> => {};

/** A database with secrets that were encrypted with a key: their texts are their ids. */
async function openStored(count: number, key = old) {
  const url = temporaryDatabaseUrl();
  const db = await openTemporaryDatabase(url);
  await storeSubscription(db, { id: 'sub_a' });
  await storeSecrets(db, count, key);
  return { db, url };
}

async function storeSecrets(db: Db, count: number, key: Buffer): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: `whs_${n}`,
    subscription_id: 'sub_a',
    sealed: seal(key, `whs_${n}`, 'sub_a'),
    created_at: noon,
    ends_at: null,
  }));
  if (count > 0) await db.insertInto('webhook_secrets').values(rows).execute();
}

function keysOf(url: string, settings: Record<string, string> = {}): SecretKeys {
  const both = { SECRET_KEY: oldText, SECRET_KEY_NEXT: nextText };
  return SecretKeys.load(readConfig({ DATABASE_URL: url, ...both, ...settings }, '').config);
}

async function storedSecrets(db: Db) {
  return db.selectFrom('webhook_secrets').selectAll().orderBy('id').execute();
}

describe('rotateTo (SECURITY.md, changing SECRET_KEY)', () => {
  it('encrypts every secret with the new key, and audits it without the key', async () => {
    const { db, url } = await openStored(450);

    const rotation = await rotateTo(db, next, { keys: keysOf(url), at: noon, refuse });

    const secrets = await storedSecrets(db);
    expect(rotation).toEqual({ kind: 'rotated', secrets: 450, keyId: idOfKey(next) });
    for (const { id, sealed } of secrets) expect(open(next, sealed, 'sub_a')).toBe(id);
    const audit = await listAudit(db, 5);
    expect(audit).toMatchObject([
      {
        at: noon,
        action: 'secrets.rotate',
        subject: 'SECRET_KEY',
        detail: { from: null, to: idOfKey(next), secrets: 450 },
      },
    ]);
    expect(JSON.stringify(audit)).not.toMatch(/0101|0202/);
  });

  it('changes nothing if a secret opens with neither key', async () => {
    const { db, url } = await openStored(3);
    const sealed = seal(Buffer.alloc(32, 9), 'x', 'sub_a');
    await db.updateTable('webhook_secrets').set({ sealed }).where('id', '=', 'whs_1').execute();
    const before = await storedSecrets(db);

    const rotating = rotateTo(db, next, { keys: keysOf(url), at: noon, refuse });

    await expect(rotating).rejects.toThrow('the stored secret of sub_a cannot be decrypted');
    expect(await storedSecrets(db)).toEqual(before);
    expect(await listAudit(db, 5)).toEqual([]);
  });

  it('makes a secret that is stored at the same time use the new key', async () => {
    const { db, url } = await openStored(2);
    const other = await openTemporaryDatabase(url);
    const server = keysOf(url);
    await server.determineKeyInUse(other);
    let sealing: Promise<string> = Promise.resolve('');
    const seals = async (): Promise<void> => {
      sealing = other.transaction().execute(async (tx) => server.seal(tx, 'x', 'sub_a'));
    };

    await rotateTo(db, next, { keys: keysOf(url), at: noon, refuse: seals });

    expect(opensWith(next, { sealed: await sealing, context: 'sub_a' })).toBe(true);
  });
});

describe('SecretKeys with configured keys', () => {
  it.each([
    ['both keys', {}],
    ['the new key alone', { SECRET_KEY: nextText, SECRET_KEY_NEXT: '' }],
    ['the keys swapped', { SECRET_KEY: nextText, SECRET_KEY_NEXT: oldText }],
  ])('starts after a rotation with %s', async (_, settings) => {
    const { db, url } = await openStored(1);
    await rotateTo(db, next, { keys: keysOf(url), at: noon, refuse });

    const keys = keysOf(url, settings);
    await keys.determineKeyInUse(db);

    const [secret] = await storedSecrets(db);
    expect(keys.open(secret?.sealed ?? '', 'sub_a')).toBe('whs_0');
  });

  it('stores no secret if the other processes use another key', async () => {
    const { db, url } = await openStored(0);
    await keysOf(url, { SECRET_KEY: nextText, SECRET_KEY_NEXT: '' }).determineKeyInUse(db);
    const keys = keysOf(url, { SECRET_KEY_NEXT: '' });

    const sealing = db.transaction().execute(async (tx) => keys.seal(tx, 'x', 'sub_a'));

    await expect(sealing).rejects.toThrow('with another SECRET_KEY than this process has');
  });
});

describe.skipIf(isPostgresql)('rotateKeyFile (SECURITY.md, changing SECRET_KEY)', () => {
  const unset = { SECRET_KEY: '', SECRET_KEY_NEXT: '' };

  /** A server that has made its key file and stored secrets. */
  async function openServer() {
    const { db, url } = await openStored(0);
    const server = keysOf(url, unset);
    await server.determineKeyInUse(db);
    const keyFile = keyFileOf(url.slice('file:'.length));
    const first = readFileSync(keyFile, 'utf8').trim();
    await storeSecrets(db, 2, Buffer.from(first, 'hex'));
    const isOpenTo = async (keys: SecretKeys): Promise<boolean> => {
      const stored = await storedSecrets(db);
      return stored.every(({ id, sealed }) => keys.open(sealed, 'sub_a') === id);
    };
    const beside = (): string[] =>
      readdirSync(dirname(keyFile)).filter((name) => name.includes('secret-key'));
    return { db, url, server, keyFile, first, isOpenTo, beside };
  }

  it('makes a new key and replaces the file; a running server follows', async () => {
    const { db, url, server, keyFile, first, isOpenTo, beside } = await openServer();

    const rotation = await rotateKeyFile(db, keyFile, {
      keys: keysOf(url, unset),
      at: noon,
      refuse,
    });

    const key = readFileSync(keyFile, 'utf8').trim();
    expect(rotation).toMatchObject({ kind: 'rotated', secrets: 2 });
    expect(key).not.toBe(first);
    expect(idOfKey(Buffer.from(key, 'hex'))).toBe(rotation.keyId);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(beside()).toEqual(['vatfx.db.secret-key']);
    expect(await isOpenTo(server)).toBe(true);
    const sealed = await db.transaction().execute(async (tx) => server.seal(tx, 'x', 'sub_a'));
    expect(opensWith(Buffer.from(key, 'hex'), { sealed, context: 'sub_a' })).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)('keeps the owner of the file when root rotates', async () => {
    const { db, url, keyFile } = await openServer();
    chownSync(keyFile, 65_534, 65_534);

    await rotateKeyFile(db, keyFile, { keys: keysOf(url, unset), at: noon, refuse });

    const { uid, gid } = statSync(keyFile);
    expect([uid, gid]).toEqual([65_534, 65_534]);
  });
});
