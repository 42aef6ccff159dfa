import { expect, it } from 'vitest';
import { storeChecks } from '../../../test/support/stored-checks.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { countWaitingChecks } from './waiting-checks.ts';

it('countWaitingChecks counts checks that wait for an attempt by Member State', async () => {
  const db = await openTemporaryDatabase();
  const ended = { status: 'answered', due_at: null, next_attempt_at: null } as const;
  await storeChecks(
    db,
    { id: 'vc_1', registry_code: 'DE' },
    { id: 'vc_2', registry_code: 'DE' },
    { id: 'vc_3', registry_code: 'AT' },
    { id: 'vc_4', registry_code: 'FR', ...ended },
  );

  expect(await countWaitingChecks(db)).toEqual({ AT: 1, DE: 2 });
});
