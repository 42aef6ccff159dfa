import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/platform/time/time.ts';
import { addGoodsErratum } from '../../src/rates/errata/add-goods-erratum.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';

const friday = '2026-11-20T16:00:00Z';
const service = shareService({ lived: [friday] });

async function readErrata(
  own: TestService,
  query: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { text } = await own.get(`/rates/errata${query}`);
  return (JSON.parse(text) as { readonly errata: Readonly<Record<string, unknown>>[] }).errata;
}

describe('GET /rates/errata?kind=goods (rules X1, X7)', () => {
  it('has entries with their own fields, and a table with its own columns', async () => {
    const query = '?country=IE&kind=goods';
    const [wear, ...others] = await readErrata(service(), query);
    const { text, headers } = await service().get(`/rates/errata.csv${query}`);
    const both = await service().get('/rates/errata.csv?kind=all');

    expect(wear).toEqual({
      id: expect.stringMatching(/^err_[0-9a-f]{24}$/) as string,
      kind: 'goods',
      country: 'IE',
      category: 'CHILD_WEAR',
      codeKind: 'cn',
      codes: ['6111', '6209'],
      commentBegins: null,
      from: null,
      to: null,
      source: null,
      law: { treatment: 'zero', rate: 0 },
      condition: 'clothing and footwear for children under eleven; TEDB has no row',
      legalBasis: 'VATCA 2010 Sch. 2 para 10',
      reference: expect.stringContaining('oireachtas.ie') as string,
      seen: 'secondary',
      note: null,
      fixedInSource: null,
    });
    expect(others).toMatchObject([
      { category: 'LOAN_LIBRARIES', source: { treatment: 'rate', rate: 9 } },
      { category: 'SHOES_REPAIR', source: { treatment: 'not_applicable', rate: null } },
    ]);
    const [titles, ...rows] = parseCsv(text);
    expect(headers['content-disposition']).toBe('attachment; filename="rates-errata-goods.csv"');
    expect(titles?.slice(4, 12).join(' ')).toBe(
      'codes commentBegins from to sourceTreatment sourceRate lawTreatment lawRate',
    );
    expect(rows.map((row) => row.slice(4, 12))).toEqual([
      ['6111 6209', '', '', '', '', '', 'zero', '0'],
      ['4902', '9% applies to periodicals', '2024-01-01', '', 'rate', '9', 'zero', '0'],
      ['95.23', '', '', '', 'not_applicable', '', 'rate', '13.5'],
    ]);
    expect([both.status, both.text]).toEqual([
      400,
      `{"error":"invalid 'kind' — expected national, goods, or all (JSON only)"}`,
    ]);
  });
});

describe('an erratum of goods that TEDB corrects (rules X6, X7)', () => {
  it('is noted with the first answer that agrees with the law; a third rate ends it without a note', async () => {
    const own = await startService({ lived: [friday] });
    const by = { at: friday, by: { actor: 'ann@web-1', reason: null } };
    const ids: string[] = [];
    for (const [code, law] of [
      ['4901', '14'],
      ['49030000', '12'],
    ] as const) {
      const added = await addGoodsErratum(
        own.core.db,
        {
          country: 'FI',
          category: 'LOAN_LIBRARIES',
          codeKind: 'cn',
          codes: [code],
          from: isoDate('2026-11-20'),
          to: null,
          source: { treatment: 'rate', rate: '13.5' },
          law: { treatment: 'rate', rate: law },
          condition: null,
          legalBasis: 'Act 1',
          reference: null,
        },
        by,
      );
      ids.push(added.kind === 'added' ? added.erratum.id : added.kind);
    }
    const namedOn = async (date: string): Promise<readonly string[]> => {
      await own.core.watch.poll();
      const { text } = await own.get(
        `/rates/${date}/categories?country=FI&category=LOAN_LIBRARIES`,
      );
      return (JSON.parse(text) as { readonly errata: readonly string[] }).errata;
    };
    expect(await namedOn('2026-11-20')).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));

    changeRate(own.scenario, 'FI', 'reduced', ['10', '14'], '2026-11-21');
    await own.liveAt('2026-11-21T16:00:00Z');

    expect(await namedOn('2026-11-21')).toEqual([]);
    expect(await namedOn('2026-11-20')).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
    const fixed = await readErrata(own, '?country=FI&kind=goods');
    expect(fixed.map(({ id, fixedInSource }) => [id, fixedInSource])).toEqual([
      [ids[0], '2026-11-21'],
      [ids[1], null],
    ]);
  });
});
