import { describe, expect, it } from 'vitest';
import { storeKey } from '../../../../test/support/stored-webhooks.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../../test/support/temporary-database.ts';
import { down } from '../../../../test/vat-check/support/attempts.ts';
import { answered, StoredWorld } from '../../../../test/vat-check/support/stored-world.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { SecretKeys } from '../../../platform/encryption/secret-keys.ts';
import { createLog } from '../../../platform/log/log.ts';
import { readDayCalls } from './call-budget.ts';
import { findAnyCheck, type NewCheck } from '../check-store.ts';
import { createCheckEvidence } from '../evidence/check-evidence.ts';
import { printEvidence } from '../evidence/evidence.ts';
import { verifyEvidence } from '../evidence/verify.ts';

const [secondMs, minuteMs] = [1_000, 60_000];
const asked = { requester: { registryCode: 'NL', number: '854265259B01' } } as const;

/** Two checks that fail, the second 30 s after the first, and the first answered then. The second is due 30 s later. */
async function answerFirst(...second: readonly Partial<NewCheck>[]) {
  const url = temporaryDatabaseUrl();
  const db = await openTemporaryDatabase(url);
  const world = await StoredWorld.open(db);
  await storeKey(db, { id: 'key_b' });
  const { config } = readConfig({ DATABASE_URL: url, SECRET_KEY: '01'.repeat(32) }, '');
  const log = createLog('fatal', { write: () => {} });
  const secretKeys = SecretKeys.load(config);
  const evidence = createCheckEvidence({ secretKeys, clock: world.clock, log });
  world.consequence = async (...ended) => evidence.signEnded(...ended);
  const { worker } = world.createWorker();
  world.answer = () => down;
  const [first] = await world.create(asked);
  await world.run([worker], 30 * secondMs, 10 * secondMs);
  const batch = second.map((own) => ({ ...asked, ...own }));
  await world.createInBatch('vb_1', ...batch);
  await world.run([worker], 20 * secondMs, 5 * secondMs);
  world.answer = () => answered(true, 'WAPI1');
  await world.run([worker], 20 * secondMs, 5 * secondMs);
  const find = async (id: string) => (await findAnyCheck(db, id))!;
  const source = await find(first!.id);
  world.answer = () => answered(true, 'WAPI2');
  const before = world.queries.length - 1;
  await world.run([worker], 2 * minuteMs, 5 * secondMs);
  const ofBatch = db.selectFrom('vat_checks').select('id').where('batch_id', '=', 'vb_1');
  const ids = (await ofBatch.orderBy('id').execute()).map(({ id }) => id);
  const checks = await Promise.all(ids.map(find));
  const verify = async (id: string) => {
    const found = await evidence.find(db, await find(id));
    if (found.kind === 'none') throw new Error('no evidence');
    return verifyEvidence(Buffer.from(printEvidence(found.evidence)));
  };
  return { db, world, source, checks, verify, calls: world.queries.length - before };
}

describe('a background attempt with maxAgeSeconds (rule K8)', () => {
  it('ends the check with an answer that another check got meanwhile, with evidence of its own', async () => {
    const second = { maxAgeSeconds: 60, reference: 'second' };
    const { db, world, source, checks, verify, calls } = await answerFirst(second);

    const [check] = checks;
    const { endedAt, answer } = source;
    expect(answer).toMatchObject({ consultationNumber: 'WAPI1' });
    const ended = { status: 'answered', attempts: 1, nextAttemptAt: null, endedAt, answer };
    expect(check).toMatchObject({ ...ended, failure: undefined, reference: 'second' });
    expect(calls).toBe(1);
    expect(await readDayCalls(db, world.nowMs)).toMatchObject({ background: world.queries.length });
    expect(world.ended).toEqual([source.id, check!.id]);
    expect(await verify(check!.id)).toMatchObject({ faults: [], evidence: { id: check!.id } });
  });

  it('ends those equal rows of a batch that allow it, and queries the registry once for the others', async () => {
    const aged = { maxAgeSeconds: 60 };

    const { world, checks, calls } = await answerFirst(aged, aged, {}, {});

    const answers = checks.map(({ answer }) => answer?.consultationNumber);
    expect(answers).toEqual(['WAPI1', 'WAPI1', 'WAPI2', 'WAPI2']);
    expect(calls).toBe(2);
    expect(world.ended).toHaveLength(5);
  });
});
