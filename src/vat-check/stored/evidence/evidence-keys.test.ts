import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../../test/support/settable-clock.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../../test/support/temporary-database.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { listAudit } from '../../../platform/database/audit.ts';
import { SecretKeys } from '../../../platform/encryption/secret-keys.ts';
import { EvidenceKeys, listEvidenceKeys } from './evidence-keys.ts';

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
  it('are stored encrypted', async () => {
    const { db, current } = await openProcess();
    await current();

    const [row] = await db.selectFrom('evidence_keys').selectAll().execute();

    expect(row?.sealed).toMatch(/^v1\.[\w-]{100,}$/);
    expect(Object.keys(JSON.parse(row?.public_key ?? '') as object)).toEqual(['crv', 'kty', 'x']);
  });
});

describe('rotate', () => {
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
