import { describe, expect, it } from 'vitest';
import { addCaller, type Caller } from '../api/support/caller.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { parseCsv } from '../support/parse-csv.ts';
import { registerTraders } from '../support/sandbox/scripts.ts';
import { storeChecks } from '../support/stored-checks.ts';
import { shareService } from '../support/start-service.ts';
import type { PrintedCheck } from '../../src/vat-check/stored/print-check.ts';
import { checkColumns } from '../../src/vat-check/stored/requests/check-table.ts';
import { austrian, postCheck, requester, sendToChecks } from './support/stored-checks-api.ts';

type Page = {
  readonly checks: readonly PrintedCheck[];
  readonly count: number;
  readonly nextCursor: string | null;
};

const service = shareService();

async function list(caller: Caller, query = ''): Promise<Page> {
  const answer = await sendToChecks(caller, 'GET', query);
  if (answer.status !== 200) throw new Error(answer.text);
  expect(answer.headers['cache-control']).toBe('private, no-store');
  return JSON.parse(answer.text) as Page;
}

/** A caller with a check in each status but expired. */
async function addFilled(): Promise<{ caller: Caller; ids: readonly string[] }> {
  const caller = await addCaller(service());
  const bodies = [
    { ...austrian, reference: 'first' },
    { countryCode: 'el', vatNumber: '999 999 901', requester },
    { countryCode: 'FR', vatNumber: '00000000000' },
    { countryCode: 'AT', vatNumber: '201' },
    { countryCode: 'AT', vatNumber: '301', reference: 'first' },
  ];
  const ids: string[] = [];
  for (const body of bodies) ids.push((await postCheck(caller, body)).check.id);
  return { caller, ids };
}

describe('GET /vatchecks (rule K11)', () => {
  it('lists the checks of the key, the newest first', async () => {
    const { caller, ids } = await addFilled();
    const { checks, count, nextCursor } = await list(caller);

    // Those of one millisecond have a random order.
    expect(new Set(checks.map(({ id }) => id))).toEqual(new Set(ids));
    expect([count, nextCursor]).toEqual([5, null]);
    expect(await list(await addCaller(service()))).toEqual({
      checks: [],
      count: 0,
      nextCursor: null,
    });
  });

  it.each([
    ['status=answered', [0, 1, 2]],
    ['status=rejected', [3]],
    ['status=pending', [4]],
    ['status=expired', []],
    ['valid=true', [0, 1]],
    ['valid=false', [2]],
    ['countryCode=at', [0, 3, 4]],
    ['countryCode=GR', [1]],
    ['countryCode=US', []],
    ['vatNumber=ATU99999901', [0]],
    ['vatNumber=u-99999901&countryCode=AT', [0]],
    ['vatNumber=el999999901', [1]],
    ['vatNumber=999%20999-901', [1]],
    ['vatNumber=u99999901&valid=true', [0]],
    ['vatNumber=201&status=rejected', [3]],
    ['reference=first', [0, 4]],
    ['reference=first&status=pending', [4]],
    ['reference=First', []],
    ['referencePrefix=fi', [0, 4]],
    ['referencePrefix=first&status=answered', [0]],
    ['referencePrefix=irst', []],
    ['since=2026-11-20', [0, 1, 2, 3, 4]],
    ['since=2026-11-20T16:00:00.001Z', []],
    ['since=2026-11-20T17:00:00%2B01:00', [0, 1, 2, 3, 4]],
    ['until=2026-11-20T16:00:00Z', []],
    ['until=2026-11-21', [0, 1, 2, 3, 4]],
    [`batchId=vb_${'0'.repeat(32)}`, []],
  ])('has the filter %s', async (query, expected) => {
    const { caller, ids } = await addFilled();

    const { checks } = await list(caller, `?${query}`);

    expect(checks.map(({ id }) => ids.indexOf(id)).toSorted((a, b) => a - b)).toEqual(expected);
  });

  it('is read page by page, and clamps a limit above 500', async () => {
    const { caller } = await addFilled();
    const { checks } = await list(caller, '?limit=99999999999999999999');

    const pages: Page[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await list(caller, `?limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push(page);
      cursor = page.nextCursor;
    }

    expect(pages.map(({ count }) => count)).toEqual([2, 2, 1]);
    expect(pages.flatMap((page) => page.checks)).toEqual(checks);
  });

  it.each([
    ['status', 'Answered', 'pending, answered, rejected or expired'],
    ['valid', '1', 'true or false'],
    ['countryCode', 'AUT', '2-letter ISO code'],
    ['countryCode', '%C3%84T', '2-letter ISO code'],
    ['vatNumber', '%C3%BC99999901', 'a VAT number'],
    ['vatNumber', '1'.repeat(20), 'a VAT number'],
    ['reference', 'x'.repeat(101), 'at most 100 printable characters'],
    ['reference', '%00', 'at most 100 printable characters'],
    ['referencePrefix', 'x'.repeat(101), 'at most 100 printable characters'],
    ['batchId', "vb_1'--", 'a batchId'],
    ['since', '2026-02-30', 'YYYY-MM-DD or an ISO 8601 instant'],
    ['until', '2026-11-20T16:00:00', 'YYYY-MM-DD or an ISO 8601 instant'],
    ['cursor', 'vb_0', 'the nextCursor of the page before'],
    ['limit', '0', 'positive integer'],
    ['limit', '-1', 'positive integer'],
    ['limit', '1e2', 'positive integer'],
  ])('is 400 for %s=%s, without it, and given twice', async (name, value, expected) => {
    const refusal = errorForm(400, `invalid '${name}' — expected ${expected}`);
    for (const path of ['', '.csv']) {
      for (const query of [`${name}=${value}`, `${name}=`, `${name}=1&${name}=1`]) {
        const answer = await sendToChecks(service(), 'GET', `${path}?${query}`);

        expect([query, formOf(answer)]).toEqual([query, refusal]);
      }
    }
  });

  it.each(['', '.csv', `/vc_${'0'.repeat(32)}`])(
    '%s is 400 for an unknown parameter',
    async (path) => {
      const answer = await sendToChecks(service(), 'GET', `${path}?page=2`);

      expect(formOf(answer)).toEqual(errorForm(400, "unknown parameter 'page'"));
    },
  );
});

describe('GET /vatchecks.csv (rule K11, contract C36)', () => {
  it('has the same checks, with neutral formulas', async () => {
    const formula = '=HYPERLINK("http://x")';
    const trader = { country: 'FI', number: '11111111', name: formula, address: '+1\r\n@2' };
    registerTraders(service().scenario, trader);
    const caller = await addCaller(service());
    const { check } = await postCheck(caller, {
      countryCode: 'FI',
      vatNumber: '11111111',
      reference: '-1+2',
      requester,
      trader: { name: '@X', city: 'a,"b"' },
    });
    await postCheck(caller, { countryCode: 'AT', vatNumber: '301' });

    const answer = await sendToChecks(caller, 'GET', '.csv');

    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="vatchecks.csv"',
    });
    // The mark lets a spreadsheet read Greek and Bulgarian names.
    expect(answer.text.charAt(0)).toBe('\uFEFF');
    const [heading = [], ...rows] = parseCsv(answer.text.slice(1));
    expect(heading).toEqual(checkColumns);
    expect(rows).toHaveLength(2);
    const row = rows.find(([id]) => id === check.id) ?? [];
    const cells = Object.fromEntries(heading.map((name, at) => [name, row[at]]));
    expect(cells).toMatchObject({
      valid: 'true',
      name: `'${formula}`,
      address: "'+1\n@2",
      requesterVatNumber: '854265259B01',
      traderName: "'@X",
      traderCity: 'a,"b"',
      traderStreet: '',
      reference: "'-1+2",
      attempts: '1',
    });
  });
});

describe('pages of a megabyte (rule K11)', () => {
  it('end before the limit; nextCursor and the Link of CSV lead to the next one', async () => {
    const caller = await addCaller(service());
    const name = 'n'.repeat(300_000);
    const ids = Array.from({ length: 5 }, (_, n) => `vc_${String(n).padStart(32, '0')}`);
    const rows = ids.map((id) => ({ id, key_id: caller.id, status: 'answered' as const, name }));
    await storeChecks(service().core.db, ...rows);

    const first = await list(caller);
    const next = await list(caller, `?cursor=${first.nextCursor}`);
    const csv = await sendToChecks(caller, 'GET', '.csv?status=answered');
    const link = /^<(\/vatchecks\.csv\?.*)>; rel="next"$/.exec(String(csv.headers['link']))?.[1];
    const nextCsv = await sendToChecks(caller, 'GET', link?.replace('/vatchecks', ''));

    expect([first, next].map(({ checks }) => checks.map(({ id }) => ids.indexOf(id)))).toEqual([
      [4, 3, 2],
      [1, 0],
    ]);
    expect([csv, nextCsv].map(({ text }) => parseCsv(text).length - 1)).toEqual([3, 2]);
    expect(nextCsv.headers['link']).toBeUndefined();
  });
});

describe('DELETE /vatchecks/<id> (rules K11 and K18)', () => {
  it('is 204 and deletes the check with its exchange; then it is 404', async () => {
    const { check } = await postCheck(service());

    const answer = await sendToChecks(service(), 'DELETE', `/${check.id}`);

    expect([answer.status, answer.text]).toEqual([204, '']);
    const { db } = service().core;
    const exchanges = db.selectFrom('vat_check_exchanges').selectAll();
    expect(await exchanges.where('check_id', '=', check.id).execute()).toEqual([]);
    for (const method of ['GET', 'DELETE']) {
      expect((await sendToChecks(service(), method, `/${check.id}`)).status).toBe(404);
    }
  });

  it('is 404 for a check of another key, which stays', async () => {
    const { check } = await postCheck(service());
    const other = await addCaller(service());

    expect((await sendToChecks(other, 'DELETE', `/${check.id}`)).status).toBe(404);
    expect((await sendToChecks(service(), 'GET', `/${check.id}`)).status).toBe(200);
  });
});
