import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../../test/support/settable-clock.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../../test/support/temporary-database.ts';
import { evidenceOf, fileOf } from '../../../../test/vat-check/support/made-evidence.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { listAudit } from '../../../platform/database/audit.ts';
import { rotateTo } from '../../../platform/encryption/rotation.ts';
import { SecretKeys } from '../../../platform/encryption/secret-keys.ts';
import { EvidenceKeys, listEvidenceKeys } from './evidence-keys.ts';
import { verifyEvidence } from './verify.ts';

const by = { actor: 'ann@web-1', reason: 'yearly' };
const at = '2026-11-20T12:00:00.000Z';
const secretKey = '01'.repeat(32);

/** A process on a database; several on one URL are replicas. */
async function openProcess(url = temporaryDatabaseUrl(), settings: Record<string, string> = {}) {
  const db = await openTemporaryDatabase(url);
  const { config } = readConfig({ DATABASE_URL: url, SECRET_KEY: secretKey, ...settings }, '');
  const clock = new SettableClock(at);
  const keys = new EvidenceKeys({ secretKeys: SecretKeys.load(config), clock });
  const current = async () => db.transaction().execute(async (tx) => keys.current(tx));
  return { url, db, clock, config, keys, current };
}

describe('the keys that sign evidence (rule K15)', () => {
  it('begin with one that the first use creates, and all uses have the same', async () => {
    const { db, current, url } = await openProcess();
    expect(await listEvidenceKeys(db)).toEqual([]);

    const first = await current();

    expect(await current()).toMatchObject({ id: first.id, publicKey: first.publicKey });
    const other = await openProcess(url);
    expect((await other.current()).id).toBe(first.id);
    expect(await listEvidenceKeys(db)).toEqual([
      {
        ...first.publicKey,
        kid: first.id,
        alg: 'EdDSA',
        use: 'sig',
        createdAt: at,
        endedAt: null,
      },
    ]);
  });

  it('are stored encrypted', async () => {
    const { db, current } = await openProcess();
    await current();

    const [row] = await db.selectFrom('evidence_keys').selectAll().execute();

    expect(row?.sealed).toMatch(/^v1\.[\w-]{100,}$/);
    expect(Object.keys(JSON.parse(row?.public_key ?? '') as object)).toEqual(['crv', 'kty', 'x']);
  });

  it('are one if ten processes use them for the first time at once', async () => {
    const first = await openProcess();
    const others = Array.from({ length: 9 }, async () => openProcess(first.url));
    const processes = [first, ...(await Promise.all(others))];

    const keys = await Promise.all(processes.map(async ({ current }) => current()));

    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
    expect(await listEvidenceKeys(first.db)).toHaveLength(1);
  });

  it('still open after a rotation of SECRET_KEY', async () => {
    const { db, url, config, current } = await openProcess();
    const { id } = await current();
    const next = Buffer.alloc(32, 2);
    const secretKeys = SecretKeys.load(config);

    await rotateTo(db, next, { keys: secretKeys, at, refuse: async () => {} });

    const later = await openProcess(url, { SECRET_KEY: next.toString('hex') });
    expect((await later.current()).id).toBe(id);
    await expect(current()).rejects.toThrow(`the stored secret of ${id} cannot be decrypted`);
  });
});

describe('rotate', () => {
  it('ends the key and creates another, keeps both public keys, and audits it', async () => {
    const { db, clock, keys, current } = await openProcess();
    const before = await current();
    clock.set('2027-11-20T12:00:00.000Z');

    const rotation = await keys.rotate(db, by);

    const after = await current();
    expect(rotation).toEqual({ from: before.id, to: after.id });
    expect(after.id).not.toBe(before.id);
    expect(await listEvidenceKeys(db)).toMatchObject([
      { kid: after.id, createdAt: '2027-11-20T12:00:00.000Z', endedAt: null },
      { kid: before.id, createdAt: at, endedAt: '2027-11-20T12:00:00.000Z' },
    ]);
    expect(await listAudit(db, 5)).toMatchObject([
      { action: 'evidence.rotate', subject: after.id, detail: { from: before.id }, ...by },
    ]);
  });

  it('leaves evidence of both keys valid', async () => {
    const { db, keys, current } = await openProcess();
    const files = [fileOf(evidenceOf({}, await current()))];
    await keys.rotate(db, by);
    files.push(fileOf(evidenceOf({}, await current())));
    await db.updateTable('evidence_keys').set({ ended_at: '2026-11-20T17:00:00.000Z' }).execute();

    const published = await listEvidenceKeys(db);

    for (const file of files) expect((await verifyEvidence(file, published)).faults).toEqual([]);
  });

  it('creates the first key if there is none', async () => {
    const { db, keys, current } = await openProcess();

    const rotation = await keys.rotate(db, by);

    expect(rotation).toEqual({ from: null, to: (await current()).id });
  });

  it('leaves one current key if processes rotate and use keys at the same time', async () => {
    const first = await openProcess();
    const others = Array.from({ length: 5 }, async () => openProcess(first.url));
    const processes = await Promise.all(others);

    await Promise.all(
      processes.flatMap(({ db, keys, current }) => [current(), keys.rotate(db, by), current()]),
    );

    const listed = await listEvidenceKeys(first.db);
    expect(listed.filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
    expect([5, 6]).toContain(listed.length);
    expect(await listAudit(first.db, 20)).toHaveLength(5);
  });
});
