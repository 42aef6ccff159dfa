import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { storeChecks } from '../../../../test/support/stored-checks.ts';
import { storeEvent } from '../../../../test/support/stored-webhooks.ts';
import { openTemporaryDatabase } from '../../../../test/support/temporary-database.ts';
import { cutLongNumbers } from './0022-long-numbers.ts';

const long = '𝔵'.repeat(1_000);
const rejected = {
  status: 'rejected',
  number: null,
  country_code: long,
  vat_number: long,
} as const;
const toBody = (countryCode: string, vatNumber: string): string =>
  `{"type":"vat.checked","timestamp":"t","check":{"id":"vc_a","countryCode":"${countryCode}","vatNumber":"${vatNumber}","valid":null}}`;

it('cuts the numbers of rejected rows and of their events, and no number that a registry was queried for', async () => {
  const db = await openTemporaryDatabase();
  const many = Array.from({ length: 250 }, (_, n) => ({ id: `vc_m${n}`, ...rejected }));
  await storeChecks(
    db,
    ...many,
    { id: 'vc_a', ...rejected },
    { id: 'vc_b', ...rejected, country_code: 'DE', vat_number: 'U_1' },
    // It has evidence, whose signature is about the number as it was sent.
    { id: 'vc_c', ...rejected, number: '811115368', country_code: 'DE' },
    { id: 'vc_d', status: 'answered', vat_number: long },
  );
  const event = { type: 'vat.checked', key_id: 'key_a', snapshot_date: null };
  await storeEvent(db, { id: 'evt_a', ...event, subject: 'vc_a', body: toBody(long, long) });
  await storeEvent(db, { id: 'evt_d', ...event, subject: 'vc_d', body: toBody('DE', long) });

  await cutLongNumbers(db as unknown as Kysely<unknown>);

  const read = db.selectFrom('vat_checks').select(['id', 'country_code', 'vat_number']);
  const rows = new Map((await read.execute()).map(({ id, ...row }) => [id, Object.values(row)]));
  const cut = ['𝔵'.repeat(8), '𝔵'.repeat(64)] as const;
  for (const id of ['vc_a', 'vc_m0', 'vc_m249']) expect(rows.get(id)).toEqual(cut);
  expect(rows.get('vc_b')).toEqual(['DE', 'U_1']);
  expect(rows.get('vc_c')).toEqual(['DE', long]);
  expect(rows.get('vc_d')).toEqual(['DE', long]);
  const bodies = await db.selectFrom('events').select('body').orderBy('id').execute();
  expect(bodies.map(({ body }) => body)).toEqual([toBody(...cut), toBody('DE', long)]);
});
