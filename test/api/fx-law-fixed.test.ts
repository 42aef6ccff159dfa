import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/send-request.ts';
import { shareService } from '../support/start-service.ts';

type LawAnswer = {
  readonly date: string;
  readonly rates: Readonly<Record<string, number>>;
  readonly fixed: Readonly<Record<string, { readonly rate: number; readonly since: string }>>;
};

function parse({ text }: Answer): LawAnswer {
  return JSON.parse(text) as LawAnswer;
}

describe('currencies that became the euro (legal-fx L3)', () => {
  const service = shareService({
    at: '2023-01-03T16:00:00Z',
    fxFrom: '2022-09-01',
    lived: ['2023-01-03T16:00:00Z'],
  });

  it.each(['/fx/oss/2022-Q4', '/fx/ioss/2022-12'])(
    '%s, decided on 2 January, has the kuna with its fixed rate',
    async (path) => {
      const answer = await service().get(path);

      expect(answer.text).toContain('"fixed":{"HRK":{"rate":7.5345,"since":"2023-01-01"}}');
      expect(parse(answer)).toMatchObject({ date: '2023-01-02' });
      expect(parse(answer).rates).not.toHaveProperty('HRK');
    },
  );

  it.each(['/fx/oss/2022-Q3', '/fx/ioss/2022-11'])('%s has no fixed rate', async (path) => {
    const answer = await service().get(path);

    expect(parse(answer).fixed).toEqual({});
    expect(parse(answer).rates).toHaveProperty('HRK');
  });
});

describe('the fixed rate of a currency in a tax point and a customs month (legal-fx L3)', () => {
  const service = shareService({
    at: '2026-01-05T16:00:00Z',
    fxFrom: '2022-12-01',
    lived: ['2026-01-05T16:00:00Z'],
  });
  const rateOf = async (path: string, currency: string) => {
    const { rates, fixed } = parse(await service().get(path));
    return { published: rates[currency], fixed: fixed[currency]?.rate };
  };
  const published = expect.any(Number) as number;

  it.each([
    ['/fx/vat/2023-01-01', 'HRK', published, 7.5345],
    ['/fx/vat/2022-12-31T23:00:00Z', 'HRK', published, 7.5345],
    ['/fx/vat/2026-01-01', 'BGN', published, 1.95583],
    ['/fx/vat/2026-01-02', 'BGN', undefined, 1.95583],
    ['/fx/vat/2026-01-02?country=PL', 'BGN', published, 1.95583],
    ['/fx/vat/2026-01-02?country=PL&issued=2025-12-30', 'BGN', published, 1.95583],
    ['/fx/customs/2023-01', 'HRK', published, 7.5345],
    ['/fx/customs/2026-01', 'BGN', published, 1.95583],
  ])('%s has %s', async (path, currency, was, fixed) => {
    expect(await rateOf(path, currency)).toEqual({ published: was, fixed });
  });

  it.each([
    ['/fx/vat/2022-12-31', 'HRK'],
    ['/fx/vat/2022-12-31T22:59:59Z', 'HRK'],
    ['/fx/vat/2025-12-31', 'BGN'],
    ['/fx/customs/2025-12', 'BGN'],
  ])('%s has the published %s', async (path, currency) => {
    expect(await rateOf(path, currency)).toEqual({ published, fixed: undefined });
  });
});
