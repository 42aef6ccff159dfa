import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/platform/values/digest.ts';
import { readNationalRates } from '../../src/rates/tedb-rows.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';
import { openClient } from './tedb-client.ts';

const entry = (country: string, standard: string, reduced: string[], own: object = {}) => {
  return { country, standard, reduced, superReduced: undefined, parking: undefined, ...own };
};
const answers = [
  { file: 'response_DE_2025-08-12.xml', count: 44, entries: [entry('DE', '19', ['7'])] },
  {
    file: 'response_IT-ES_2025-08-12.xml',
    count: 194,
    entries: [
      entry('ES', '21', ['10'], { superReduced: '4' }),
      entry('IT', '22', ['5', '10'], { superReduced: '4' }),
    ],
  },
  {
    file: 'response_NL-BE_2025-08-12.xml',
    count: 125,
    entries: [entry('BE', '21', ['6', '12'], { parking: '12' }), entry('NL', '21', ['9'])],
  },
];

async function readRows(file: string) {
  return (await openClient('ok', () => readCapture(`tedb/${file}`)))();
}

describe.skipIf(!hasCaptures)(
  `the real answers of TEDB of 2025-08-12 (contract C13)${unlessAbsent}`,
  () => {
    it.each(answers)('have the national rates of $file', async ({ file, count, entries }) => {
      const { rows, inputDigest } = await readRows(file);

      expect(rows).toHaveLength(count);
      expect(inputDigest).toBe(sha256(readCapture(`tedb/${file}`)));
      const situationDate = '2025-07-01';
      expect(readNationalRates(rows)).toEqual({ entries, ambiguous: [], situationDate });
    });

    it('have Spain’s Canary Islands before Spain, Germany twice, and dates without an offset', async () => {
      const standardsOf = async (file: string): Promise<string[]> => {
        const { rows } = await readRows(file);
        return rows
          .filter(({ type }) => type === 'STANDARD')
          .map((row) => `${row.memberState} ${row.value} ${row.situationDate} ${row.comment}`);
      };

      expect(await standardsOf('response_IT-ES_2025-08-12.xml')).toEqual([
        'ES 7 2025-07-01 VAT - Canary Islands -',
        'ES 21 2025-07-01 undefined',
        'IT 22 2025-01-01 undefined',
      ]);
      expect(await standardsOf('response_DE_2025-08-12.xml')).toEqual([
        'DE 19 2025-07-01 VAT - Import -',
        'DE 19 2025-07-01 undefined',
      ]);
    });

    it('are refused if they are cut at any place', async () => {
      const whole = readCapture('tedb/response_DE_2025-08-12.xml');
      const cuts = Array.from({ length: 200 }, (_, at) => Math.floor((whole.length * at) / 200));
      cuts.push(whole.length - 1, whole.length - '</env:Envelope>'.length);
      let length = 0;
      const fetch = await openClient('ok', () => whole.subarray(0, length));
      const read: string[] = [];

      for (const cut of cuts) {
        length = cut;
        const outcome = await fetch().then(
          ({ rows }) => `read ${rows.length} rows of the first ${cut} bytes`,
          (error: unknown) => (error as { readonly kind?: string }).kind ?? String(error),
        );
        if (!['truncated', 'encoding', 'empty'].includes(outcome)) read.push(outcome);
      }

      expect(read).toEqual([]);
    });
  },
);

describe.skipIf(!hasCaptures)(`the real fault of TEDB${unlessAbsent}`, () => {
  it('is reported with the first 80 characters of its text, and not as an outage', async () => {
    const fetch = await openClient('fault', () => readCapture('tedb/fault_XX-YY.xml'));

    await expect(fetch()).rejects.toMatchObject({
      kind: 'fault',
      status: 500,
      isPermanent: true,
      message:
        'tedb: retrieveVatRates: SOAP fault: TEDB-ERR-2 - Request is not valid; ' +
        'The Member State "XX" does not exist.; The M…',
    });
  });
});
