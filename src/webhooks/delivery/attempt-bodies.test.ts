import { describe, expect, it } from 'vitest';
import { openAttempts } from '../../../test/support/open-attempts.ts';
import { noon, storeEvent } from '../../../test/support/stored-webhooks.ts';
import { DatabaseUnavailableError } from '../../platform/database/unavailable.ts';

describe('DeliveryAttempts.begin: the body (contract C28)', () => {
  it('contains the rows of /changes, byte for byte', async () => {
    const { receiver, changes, claimed, run } = await openAttempts();
    changes.answer = { json: '[ {"old":20.50,"n":"é\\u00e9"} ]', count: 1 };

    await run(claimed());

    expect(changes.datesRead).toEqual(['2026-11-20']);
    expect(receiver.bodies).toEqual([
      `{"type":"rates.changed","timestamp":"${noon}","snapshotDate":"2026-11-20",` +
        '"changes":[ {"old":20.50,"n":"é\\u00e9"} ],"count":1}',
    ]);
  });

  it('fails only the deliveries of the event whose changes cannot be read', async () => {
    const { db, receiver, changes, lines, claimed, run } = await openAttempts();
    await storeEvent(db, { id: 'evt_2', snapshot_date: '2026-11-21' });
    changes.unreadable = '2026-11-21';
    const ofOther = { eventId: 'evt_2' };

    const results = await run(
      claimed({ id: 'dlv_2', ...ofOther }),
      claimed({ id: 'dlv_3', ...ofOther, attemptsMade: 2 }),
      claimed(),
    );

    expect(results.map(({ verdict }) => verdict.kind)).toEqual(['retry', 'exhausted', 'succeeded']);
    expect(results.map(({ attempt }) => attempt.error)).toEqual([
      'event not readable',
      'event not readable',
      undefined,
    ]);
    expect(receiver.bodies).toHaveLength(1);
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'event not readable', eventId: 'evt_2' },
    ]);
  });

  it('throws if the database is unavailable, so that no attempt is counted', async () => {
    const { changes, claimed, run } = await openAttempts();
    changes.failure = new DatabaseUnavailableError('away');
    changes.unreadable = '2026-11-20';

    await expect(run(claimed())).rejects.toThrow('away');
  });
});
