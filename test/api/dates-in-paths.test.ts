import { describe, expect, it } from 'vitest';
import { shareService } from '../support/start-service.ts';

describe.each(['/rates', '/changes', '/fx'])(
  'the date in GET %s/YYYY-MM-DD (contract C5)',
  (path) => {
    const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

    it.each([
      ['a day that does not exist', '2026-02-30'],
      ['29 February of a common year', '2026-02-29'],
      ['31 November', '2026-11-31'],
      ['a month 13', '2026-13-01'],
      ['a month 0', '2026-00-20'],
      ['a day 0', '2026-11-00'],
      ['the year 0', '0000-11-20'],
      ['without leading zeros', '2026-11-2'],
      ['without hyphens', '20261120'],
      ['a month', '2026-11'],
      ['a week date', '2026-W47-5'],
      ['an ordinal date', '2026-324'],
      ['a moment', '2026-11-20T00:00:00Z'],
      ['a year of five digits', '12026-11-20'],
      ['signed', '+2026-11-20'],
      ['with an extension', '2026-11-20.json'],
      ['with a blank behind', '2026-11-20%20'],
      ['with a line feed behind', '2026-11-20%0A'],
      ['with a NUL behind', '2026-11-20%00'],
      ['with a slash behind, escaped', '2026-11-20%2F'],
      ['escaped twice', '2026%252D11%252D20'],
      ['in full-width digits', encodeURIComponent('２０２６-１１-２０')],
      ['with a minus sign for a hyphen', encodeURIComponent('2026−11−20')],
      ['a word', 'latest'],
      ['a word of the prototype', '__proto__'],
      ['a broken escape', '%zz'],
      ['a date and a broken escape', '2026-11-20%'],
      ['an escape that is not UTF-8', '2026-11-2%ff'],
      ['longer than any date', '2'.repeat(8_000)],
    ])('is rejected if it is %s', async (_what, date) => {
      const { status, text } = await service().get(`${path}/${date}`);

      expect([status, text]).toEqual([400, `{"error":"invalid 'date' — expected YYYY-MM-DD"}`]);
    });

    it('may be percent-encoded', async () => {
      const plain = await service().get(`${path}/2026-11-20`);

      const encoded = await service().get(`${path}/%32026%2D11%2d20`);

      expect([encoded.status, encoded.text]).toEqual([200, plain.text]);
    });

    it('is read in the same way if the URL has a query', async () => {
      const plain = await service().get(`${path}/2026-11-20`);

      const asked = await service().get(`${path}/2026-11-20?date=2026-02-30&%zz`);

      expect([asked.status, asked.text]).toEqual([200, plain.text]);
    });
  },
);
