import { describe, expect, it } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import { shareService } from '../support/start-service.ts';
import { clientOf, errorOf } from './support/client-of.ts';

const service = shareService();

/** The watches of a new key. */
async function newWatches() {
  const { key } = await addCaller(service(), { rateLimit: 'none', quota: 'none' });
  return clientOf(service(), { key }).watches;
}

describe('watches (rule K13)', () => {
  it('are created, changed, read, listed and deleted', async () => {
    const watches = await newWatches();

    const created = await watches.put('AT', 'U99999901');
    const changed = await watches.put('at', 'ATU 99999901', { everyDays: 30, reference: 'c 1' });

    expect(created).toMatchObject({ everyDays: 90, lastCheck: null, error: null });
    expect(changed).toMatchObject({ vatNumber: 'ATU 99999901', everyDays: 30, reference: 'c 1' });
    expect(await watches.get('AT', 'U99999901')).toEqual(changed);
    await watches.put('DE', '999999901');
    const first = await watches.list({ limit: 1 });
    const rest = await watches.list({ limit: 1, cursor: first.nextCursor ?? '' });
    const listed = [...first.watches, ...rest.watches].map(({ countryCode }) => countryCode);
    expect(new Set(listed)).toEqual(new Set(['at', 'DE']));
    expect(rest.nextCursor).toBeNull();
    expect(await watches.delete('AT', 'U99999901')).toBeUndefined();
    expect((await watches.list()).count).toBe(1);
    expect(await errorOf(watches.get('AT', 'U99999901'))).toMatchObject({ name: 'NotFoundError' });
  });

  it('are refused with the name of the wrong field', async () => {
    const watches = await newWatches();

    expect(await errorOf(watches.put('AT', 'U99999901', { everyDays: 366 }))).toMatchObject({
      name: 'InvalidInputError',
      field: 'everyDays',
    });
    expect(await errorOf(watches.put('AT', '..'))).toMatchObject({ name: 'InvalidArgumentError' });
  });
});
