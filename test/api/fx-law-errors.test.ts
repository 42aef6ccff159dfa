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
  const country = "invalid 'country' — expected PL, or CZ with a bank";
  const issued = "invalid 'issued' — expected YYYY-MM-DD";

  it.each([
    ['oss/2024-Q5', quarter],
    ['oss/2024-01', quarter],
    ['oss/0000-Q1', quarter],
    ['ioss/2024-13', month],
    ['ioss/2024-Q1', month],
    ['customs/2024-13', month],
    ['customs/2024-01-01', month],
    ['vat/2024-02-30', point],
    ['vat/2024-02-30T10:00:00Z', point],
    ['vat/2024-02-03T10:00:00', point],
    ['vat/2024-02-03T24:00:00Z', point],
    ['vat/2024-02-03T10:00:00+24:00', point],
    ['vat/2024-02-03t10:00:00z', point],
    ['vat/2026-11-18?country=DE', country],
    ['vat/2026-11-18?country=HU', country],
    ['vat/2026-11-18?country=pl', country],
    ['vat/2026-11-18?country=PL,CZ', country],
    ['vat/2026-11-18?country=CZ', "invalid 'bank' — expected cnb or ecb for CZ"],
    ['vat/2026-11-18?country=CZ&issued=2026-11-13', "invalid 'bank' — expected cnb or ecb for CZ"],
    ['vat/2026-11-18?country=', country],
    ['vat/2026-11-18?country=PL&country=PL', country],
    ['vat/2026-11-18?country=constructor', country],
    ['vat/2026-11-18?country=PL&issued=2026-02-30', issued],
    ['vat/2026-11-18?country=PL&issued=', issued],
    ['vat/2026-11-18?issued=2026-11-13', "unknown parameter 'issued'"],
    ['oss/2026-Q3?country=PL', "unknown parameter 'country'"],
    ['vat/2026-11-18?Country=PL', "unknown parameter 'Country'"],
  ])('/fx/%s is 400 (rules N5, N13)', async (path, error) => {
    expect(formOf(await service().get(`/fx/${path}`))).toEqual(errorForm(400, error));
  });
});
