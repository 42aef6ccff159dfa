import { describe, expect, it } from 'vitest';
import { down } from '../../../../test/vat-check/support/attempts.ts';
import { answered, StoredWorld } from '../../../../test/vat-check/support/stored-world.ts';
import { noon } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import { writeAttempt } from './check-results.ts';
import { findCheck } from '../check-store.ts';
import { claimNext } from './claim-next.ts';
import { deleteCheck } from '../delete-checks.ts';

describe('writeAttempt (rule K6)', () => {
  const made = {
    kind: 'made',
    outcome: answered(true),
    startedAt: Date.parse(noon),
    endedAt: Date.parse(noon),
    exchange: undefined,
  } as const;
  const options = { random: 0.5, onEnded: async () => {} };

  async function openClaimed() {
    const db = await openTemporaryDatabase();
    const world = await StoredWorld.open(db);
    await world.create({});
    const claim = async (nowMs: number) =>
      claimNext(db, {
        registryCodes: ['DE'],
        nowMs,
        untilMs: nowMs + 30_000,
        perSecond: 5,
        perDay: 'none',
        afterKey: '',
      });
    const claimed = await claim(world.nowMs);
    return { db, world, claim, claimed: claimed! };
  }

  it('writes nothing under a claim that another one has replaced', async () => {
    const { db, world, claim, claimed } = await openClaimed();
    const later = await claim(world.nowMs + 30_000);

    expect(await writeAttempt(db, claimed, made, options)).toBeUndefined();

    expect(later?.id).toBe(claimed.id);
    expect((await findCheck(db, 'key_a', claimed.id))?.status).toBe('pending');
    expect((await writeAttempt(db, later!, made, options))?.status).toBe('answered');
    expect(await writeAttempt(db, later!, made, options)).toBeUndefined();
  });

  it('writes the fault of the Member State although the check was deleted meanwhile', async () => {
    const { db, claimed } = await openClaimed();
    await deleteCheck(db, { keyId: 'key_a', id: claimed.id }, async () => {});

    await writeAttempt(db, claimed, { ...made, outcome: down }, options);

    const registries = await db
      .selectFrom('vat_registries')
      .select('faulted_at')
      .where('registry_code', '=', 'DE')
      .execute();
    expect(registries).toEqual([{ faulted_at: noon }]);
  });
});
