import { describe, expect, it } from 'vitest';
import { parseMoment } from './instant-parameter.ts';

describe('parseMoment', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T07:00:00Z', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T07:00:00.1239Z', '2026-11-20T07:00:00.123Z'],
    ['2026-11-20T08:00:00+01:00', '2026-11-20T07:00:00.000Z'],
    ['2026-11-20T00:30+01:00', '2026-11-19T23:30:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['', undefined],
    ['yesterday', undefined],
    ['2026-02-30', undefined],
    ['2026-02-30T00:00:00Z', undefined],
    ['2026-11-20T07:00:00', undefined],
    ['2026-11', undefined],
    ['+012026-11-20T00:00:00Z', undefined],
    ['-000001-11-20T00:00:00Z', undefined],
  ])('reads %j as %s', (text, moment) => {
    expect(parseMoment(text)).toBe(moment);
  });
});
