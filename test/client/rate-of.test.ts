import { describe, expect, it } from 'vitest';
import type { RateQuestion } from '../../client/src/index.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { addGoodsErratum } from '../../src/rates/errata/add-goods-erratum.ts';
import { removeErratum } from '../../src/rates/errata/add-erratum.ts';
import { shareService, startService } from '../support/start-service.ts';
import { answeredBy, clientOf, errorOf } from './support/client-of.ts';

const friday = '2026-11-20T16:00:00Z';
const service = shareService({ lived: ['2026-11-19T16:00:00Z', friday] });

describe('rateOf (rule G13)', () => {
  it.each<[string, RateQuestion, object]>([
    [
      'one rate of a category',
      { country: 'ES', category: 'accommodation' },
      { kind: 'one', rate: '10', treatment: 'rate', country: 'ES', rows: [{ conditional: false }] },
    ],
    [
      'one rate of a code, of Greece by its registry code',
      { country: 'el', cn: '4901' },
      { kind: 'one', rate: '6', country: 'GR', rows: [{ country: 'GR', matched: '4901' }] },
    ],
    [
      'rates under conditions',
      { country: 'BE', cn: '4902' },
      { kind: 'depends', rates: ['0', '6'], treatments: ['rate', 'zero'], standard: '21' },
    ],
    [
      'no row, with the number of rows without codes',
      { country: 'DE', cpa: '55' },
      { kind: 'none', standard: '19', uncoded: 10, rows: [] },
    ],
    [
      'a rate on a date',
      { country: 'ES', category: 'ACCOMMODATION', on: '2026-11-19' },
      { kind: 'one', rate: '10', version: '2026-11-19' },
    ],
  ])('returns %s, with one request', async (_what, question, expected) => {
    const before = answeredBy(service()).length;

    const answer = await clientOf(service()).rateOf(question);

    expect(answer).toMatchObject({ version: '2026-11-20', errata: [], ...expected });
    expect(answeredBy(service())).toHaveLength(before + 1);
    expect([answer, answer.rows, answer.errata].every((one) => Object.isFrozen(one))).toBe(true);
  });

  it('returns the errata that the answer names, with the law, for one more request of a country', async () => {
    const client = clientOf(service());
    const before = answeredBy(service()).length;

    const pictures = await client.rateOf({ country: 'es', cn: '9701' });
    const books = await client.rateOf({ country: 'ES', cn: '4901' });

    expect(pictures).toMatchObject({
      kind: 'depends',
      rates: ['10', '21'],
      rows: [{ rate: '10', erratum: pictures.errata[0]?.id }],
      errata: [{ codes: ['9701'], source: { rate: '10' }, law: { treatment: 'rate', rate: '21' } }],
    });
    expect(books).toMatchObject({
      kind: 'depends',
      rates: ['4'],
      rows: [],
      errata: [{ category: 'LOAN_LIBRARIES', source: null, law: { rate: '4' } }],
    });
    expect(Object.isFrozen(books.errata)).toBe(true);
    expect(answeredBy(service()).slice(before)).toEqual([
      '200 /rates/categories',
      '200 /rates/errata',
      '200 /rates/categories',
    ]);
  });

  it('leaves out an erratum that the operator has removed since the answer that names it', async () => {
    const own = await startService({ lived: [friday] });
    const { db, watch } = own.core;
    const by = { at: friday, by: { actor: 'ann@web-1', reason: null } };
    const goods = { country: 'DE', category: 'LOAN_LIBRARIES', codeKind: 'cn', codes: ['4901'] };
    const values = {
      source: { treatment: 'rate', rate: '7' },
      law: { treatment: 'rate', rate: '5' },
      from: isoDate('2026-11-20'),
      to: null,
      condition: null,
      legalBasis: 'Act 1',
      reference: null,
    } as const;
    const added = await addGoodsErratum(db, { ...goods, codeKind: 'cn', ...values }, by);
    await watch.poll();
    const client = clientOf(own);
    const { errata } = await client.categories({ country: 'DE', cn: '4901' });
    await removeErratum(db, errata[0] ?? '', by);
    await watch.poll();

    const answer = await client.rateOf({ country: 'DE', cn: '4901' });

    expect(added.kind).toBe('added');
    expect(answer).toMatchObject({ kind: 'depends', rows: [{ erratum: errata[0] }], errata: [] });
  });

  it('returns the rows of all pages', async () => {
    const question = { country: 'IT', cn: '04' };
    const { rows } = await clientOf(service()).rateOf(question);
    const before = answeredBy(service()).length;
    const paged = clientOf(service(), {
      fetch: async (url, init) => fetch(`${url as string}&limit=3`, init),
    });

    expect((await paged.rateOf(question)).rows).toEqual(rows);
    expect(answeredBy(service()).length - before).toBe(Math.ceil(rows.length / 3));
    expect(rows.length).toBeGreaterThan(3);
  });

  it.each([
    [{ cn: '1509' }, 'country', 'a Member State'],
    [{ country: 'ES' }, 'cn', 'exactly one of cn, cpa, category'],
    [{ country: 'ES', cn: '1509', cpa: '10.41' }, 'cn', 'exactly one of cn, cpa, category'],
    [{ country: 'ES', cn: '1509', category: 'A' }, 'cn', 'exactly one of cn, cpa, category'],
    [{ country: 'ES', cn: '1509', on: 'today' }, 'on', 'YYYY-MM-DD'],
  ])('refuses %j without a request', async (question, field, expected) => {
    const before = answeredBy(service()).length;

    const error = await errorOf(clientOf(service()).rateOf(question as RateQuestion));

    expect(error).toMatchObject({ name: 'InvalidArgumentError', field, expected });
    expect(answeredBy(service())).toHaveLength(before);
  });

  it('throws the errors of the service, and says so if the service gives no verdict', async () => {
    const books = { country: 'ES', cn: '1509' };
    const refuse = async (wrong: object) =>
      errorOf(clientOf(service()).rateOf({ ...books, ...wrong }));
    const older = clientOf(service(), {
      fetch: async () => Response.json({ rows: [], nextCursor: null }),
    });

    expect(await refuse({ country: 'US' })).toMatchObject({ field: 'country', status: 400 });
    expect(await refuse({ cn: '150' })).toMatchObject({ field: 'cn', status: 400 });
    expect(await refuse({ on: '2026-11-18' })).toMatchObject({ nextDate: '2026-11-19' });
    expect(await errorOf(older.rateOf(books))).toMatchObject({
      message: expect.stringContaining("an answer without 'verdict'") as string,
    });
  });
});
