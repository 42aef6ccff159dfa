import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/platform/digest.ts';
import { readNationalRates, type TedbRow } from '../../src/rates/tedb-rows.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';
import { openClient } from './tedb-client.ts';

const germany = {
  country: 'DE',
  standard: '19',
  reduced: ['7'],
  superReduced: undefined,
  parking: undefined,
};
const italy = {
  country: 'IT',
  standard: '22',
  reduced: ['5', '10'],
  superReduced: '4',
  parking: undefined,
};
const spain = {
  country: 'ES',
  standard: '21',
  reduced: ['10'],
  superReduced: '4',
  parking: undefined,
};
const belgium = {
  country: 'BE',
  standard: '21',
  reduced: ['6', '12'],
  superReduced: undefined,
  parking: '12',
};
const netherlands = {
  country: 'NL',
  standard: '21',
  reduced: ['9'],
  superReduced: undefined,
  parking: undefined,
};

const answers = [
  { file: 'response_DE_2025-08-12.xml', rows: 44, entries: [germany], situationDate: '2025-07-01' },
  {
    file: 'response_IT-ES_2025-08-12.xml',
    rows: 194,
    entries: [spain, italy],
    situationDate: '2025-07-01',
  },
  {
    file: 'response_NL-BE_2025-08-12.xml',
    rows: 125,
    entries: [belgium, netherlands],
    situationDate: '2025-07-01',
  },
];

describe.skipIf(!hasCaptures)(
  `the real answers of TEDB of 2025-08-12 (contract C13)${unlessAbsent}`,
  () => {
    it.each(answers)(
      'have the national rates of that day in $file',
      async ({ file, ...expected }) => {
        const bytes = readCapture(`tedb/${file}`);
        const fetch = await openClient('ok', () => bytes);

        const { rows, inputDigest } = await fetch();

        expect(rows).toHaveLength(expected.rows);
        expect(inputDigest).toBe(sha256(bytes));
        expect(readNationalRates(rows)).toMatchObject({
          entries: expected.entries,
          ambiguous: [],
        });
        expect(readNationalRates(rows).situationDate).toBe(expected.situationDate);
      },
    );

    it('have Spain’s Canary Islands before Spain, and Germany twice', async () => {
      const standards = async (file: string): Promise<(string | undefined)[]> => {
        const bytes = readCapture(`tedb/${file}`);
        const { rows } = await (await openClient('ok', () => bytes))();
        const isStandard = (row: TedbRow): boolean => row.type === 'STANDARD';
        return rows
          .filter(isStandard)
          .map((row) => `${row.memberState} ${row.value} ${row.comment}`);
      };

      expect(await standards('response_IT-ES_2025-08-12.xml')).toEqual([
        'ES 7 VAT - Canary Islands -',
        'ES 21 undefined',
        'IT 22 undefined',
      ]);
      expect(await standards('response_DE_2025-08-12.xml')).toEqual([
        'DE 19 VAT - Import -',
        'DE 19 undefined',
      ]);
    });

    it('have the start date of each record, without its offset', async () => {
      const bytes = readCapture('tedb/response_IT-ES_2025-08-12.xml');
      const { rows } = await (await openClient('ok', () => bytes))();

      const days = new Set(rows.map((row) => `${row.memberState} ${row.situationDate}`));

      expect([...days].sort()).toEqual(['ES 2025-07-01', 'IT 2025-01-01']);
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
  it('is reported with its own text, and not as an outage', async () => {
    const fetch = await openClient('fault', () => readCapture('tedb/fault_XX-YY.xml'));

    await expect(fetch()).rejects.toMatchObject({
      kind: 'fault',
      status: 500,
      isPermanent: true,
      message:
        'tedb: retrieveVatRates: SOAP fault: TEDB-ERR-2 - Request is not valid; ' +
        'The Member State "XX" does not exist.; The Member State "YY" does not exist.',
    });
  });
});
