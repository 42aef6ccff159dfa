import { describe, expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { isoDate } from '../../platform/time.ts';
import type { CountryCode } from '../member-states.ts';
import { deleteErratum, insertErratum, listErrata, noteFixedErrata } from './errata-store.ts';
import { type Erratum, erratumId } from './erratum.ts';

const from = isoDate('2026-11-01');
const added: Erratum = {
  id: erratumId({ country: 'GR', field: 'reduced', from }),
  country: 'GR',
  field: 'reduced',
  from,
  to: null,
  source: ['6', '13'],
  law: ['4', '6', '13'],
  legalBasis: 'a law',
  reference: null,
  note: null,
  by: 'operator',
};
const asByLaw = {
  country: 'GR' as CountryCode,
  standard: '24',
  reduced: ['4', '6', '13'],
  superReduced: undefined,
  parking: undefined,
};

describe('the store of errata (rules X1 and X6)', () => {
  it('keeps the first answer that agrees with the law, and forgets it with the erratum', async () => {
    const db = await openTemporaryDatabase();
    const write = db.transaction();
    const note = async (...dates: readonly string[]): Promise<void> =>
      write.execute(async (tx) =>
        noteFixedErrata(tx, { entries: [asByLaw], versions: dates.map(isoDate) }),
      );
    const greek = async () => (await listErrata(db)).filter(({ field }) => field === 'reduced');
    await write.execute(async (tx) => insertErratum(tx, added, '2026-11-20T07:00:00.000Z'));

    await note('2026-10-31');
    expect((await greek()).at(-1)).toEqual({ ...added, fixedInSource: null });
    await note('2026-10-31', '2026-11-01', '2026-11-02');
    await note('2026-11-03');
    expect((await greek()).at(-1)).toEqual({ ...added, fixedInSource: '2026-11-01' });

    const remove = async (): Promise<boolean> =>
      write.execute(async (tx) => deleteErratum(tx, added.id));
    expect([await remove(), await remove()]).toEqual([true, false]);
    await write.execute(async (tx) => insertErratum(tx, added, '2026-11-20T07:00:00.000Z'));
    expect((await greek()).at(-1)).toEqual({ ...added, fixedInSource: null });
  });
});
