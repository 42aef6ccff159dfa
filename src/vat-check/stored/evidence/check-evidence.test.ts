import { describe, expect, it } from 'vitest';
import { SettableClock } from '../../../../test/support/settable-clock.ts';
import { noon } from '../../../../test/support/stored-webhooks.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../../test/support/temporary-database.ts';
import { StoredWorld } from '../../../../test/vat-check/support/stored-world.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { rotateTo } from '../../../platform/encryption/rotation.ts';
import { SecretKeys } from '../../../platform/encryption/secret-keys.ts';
import { createLog } from '../../../platform/log/log.ts';
import { findCheck } from '../check-store.ts';
import { createCheckEvidence } from './check-evidence.ts';

const nextKey = Buffer.alloc(32, 2);

/** A process with the SECRET_KEY of the database, or with another one. */
async function open() {
  const url = temporaryDatabaseUrl();
  const db = await openTemporaryDatabase(url);
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const clock = new SettableClock(noon);
  const withKey = (SECRET_KEY: string) => {
    const secretKeys = SecretKeys.load(readConfig({ DATABASE_URL: url, SECRET_KEY }, '').config);
    return { secretKeys, evidence: createCheckEvidence({ secretKeys, clock, log }) };
  };
  const world = await StoredWorld.open(db);
  const before = withKey('01'.repeat(32));
  const { worker } = world.createWorker();
  world.consequence = async (...ended) => before.evidence.signEnded(...ended);
  /** Creates a check, ends it, and returns it with its exchange. */
  const endOne = async () => {
    const [created] = await world.create({});
    await world.run([worker], 1_000, 1_000);
    const check = await findCheck(db, 'key_a', created!.id);
    const exchange = await db
      .selectFrom('vat_check_exchanges')
      .selectAll()
      .where('check_id', '=', created!.id)
      .executeTakeFirstOrThrow();
    return { check: check!, exchange };
  };
  return { db, before, withKey, endOne, lines };
}

describe('the evidence of stored checks (rule K15)', () => {
  it('is signed when it is read, if the key could not be opened when the check ended', async () => {
    const { db, before, withKey, endOne, lines } = await open();
    await endOne();
    await rotateTo(db, nextKey, { keys: before.secretKeys, at: noon, refuse: async () => {} });

    const { check, exchange } = await endOne();
    await endOne();

    expect(check.status).toBe('answered');
    expect(exchange).toMatchObject({ manifest: null, signature: null, evidence_key_id: null });
    expect(lines.filter((line) => line.includes('evidence of checks not signed'))).toHaveLength(1);
    await expect(before.evidence.find(db, check)).rejects.toThrow('cannot be decrypted');
    const { evidence } = withKey(nextKey.toString('hex'));
    expect(await evidence.find(db, check)).toMatchObject({ kind: 'evidence' });
    const signed = db.selectFrom('vat_check_exchanges').where('manifest', 'is not', null);
    expect(await signed.select('check_id').execute()).toHaveLength(2);
  });
});
