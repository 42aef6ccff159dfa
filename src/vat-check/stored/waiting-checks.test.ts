import { expect, it } from 'vitest';
import { storeChecks } from '../../../test/support/stored-checks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { dayMs } from '../../platform/time/time.ts';
import { createId } from './ids.ts';
import { countWaitingChecks } from './waiting-checks.ts';

it('countWaitingChecks counts checks that wait for an attempt by Member State, and those that do for over a day', async () => {
  const db = await openTemporaryDatabase();
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  const ended = { status: 'answered', due_at: null, next_attempt_at: null } as const;
  await storeChecks(
    db,
    { id: createId('vc', nowMs - dayMs - 1), registry_code: 'DE' },
    { id: createId('vc', nowMs - dayMs), registry_code: 'DE' },
    { id: createId('vc', nowMs), registry_code: 'AT' },
    { id: createId('vc', nowMs - 2 * dayMs), registry_code: 'FR', ...ended },
  );

  expect(await countWaitingChecks(db, nowMs)).toEqual({ byState: { AT: 1, DE: 2 }, late: 1 });
});
