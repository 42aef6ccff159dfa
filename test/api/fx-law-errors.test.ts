import { describe, expect, it } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService } from '../support/start-service.ts';

const friday = '2026-11-20T16:00:00Z';

describe('periods before the data and malformed ones (legal-fx L4, L5)', () => {
  const service = shareService({ lived: [friday] });

  it.each([
    '/fx/oss/2026-Q2',
    '/fx/oss/0001-Q1',
    '/fx/ioss/1998-12',
    '/fx/ioss/1998-12.csv',
    '/fx/customs/0001-01',
    '/fx/customs/1999-01',
    '/fx/vat/1999-01-03',
    '/fx/vat/0001-01-01?country=PL',
    '/fx/vat/0001-01-01T00:00:00+23:59',
  ])('%s, before the data, is 404', async (path) => {
    expect(formOf(await service().get(path))).toEqual(errorForm(404, 'fx snapshot not found'));
  });

  const quarter = "invalid 'period' — expected YYYY-Qn";
  const month = "invalid 'period' — expected YYYY-MM";
  const point = "invalid 'taxPoint' — expected YYYY-MM-DD or an instant with an offset";
  const country = "invalid 'country' — expected PL";

  it.each([
    ['/fx/oss/2024-Q5', quarter],
    ['/fx/oss/2024-Q0', quarter],
    ['/fx/oss/2024-q1', quarter],
    ['/fx/oss/2024-01', quarter],
    ['/fx/oss/0000-Q1', quarter],
    ['/fx/oss/12024-Q1', quarter],
    ['/fx/oss/2024-Q11', quarter],
    ['/fx/oss/2024-Q5.csv', quarter],
    ['/fx/ioss/2024-13', month],
    ['/fx/ioss/2024-00', month],
    ['/fx/ioss/2024-1', month],
    ['/fx/ioss/2024-Q1', month],
    ['/fx/ioss/0000-01', month],
    ['/fx/customs/2024-13', month],
    ['/fx/customs/2024-01-01', month],
    ['/fx/vat/2024-02-30', point],
    ['/fx/vat/2024-02-30T10:00:00Z', point],
    ['/fx/vat/2024-02-03T10:00:00', point],
    ['/fx/vat/2024-02-03T10:00Z', point],
    ['/fx/vat/2024-02-03T24:00:00Z', point],
    ['/fx/vat/2024-02-03T10:60:00Z', point],
    ['/fx/vat/2024-02-03T10:00:60Z', point],
    ['/fx/vat/2024-02-03T10:00:00+24:00', point],
    ['/fx/vat/2024-02-03T10:00:00+01', point],
    ['/fx/vat/2024-02-03t10:00:00z', point],
    ['/fx/vat/2024-02-03T10:00:00.Z', point],
    ['/fx/vat/0000-01-01', point],
    ['/fx/vat/2026-11-18?country=DE', country],
    ['/fx/vat/2026-11-18?country=pl', country],
    ['/fx/vat/2026-11-18?country=', country],
    ['/fx/vat/2026-11-18?country=PL&country=PL', country],
    ['/fx/vat/2026-11-18?country=constructor', country],
    ['/fx/oss/2026-Q3?country=PL', "unknown parameter 'country'"],
    ['/fx/vat/2026-11-18?Country=PL', "unknown parameter 'Country'"],
  ])('%s is 400', async (path, error) => {
    expect(formOf(await service().get(path))).toEqual(errorForm(400, error));
  });
});
