import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../platform/http/responses/api-errors.ts';
import { noDefaults as none, readCheckRequest } from './check-request.ts';

const number = { countryCode: 'DE', vatNumber: '811115368' };

/** The request, or status and text of the refusal. */
function read(body: unknown, defaults = none): unknown {
  try {
    const result = readCheckRequest(body, defaults);
    return result.kind === 'request' ? result.request : result.kind;
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.message}`;
    throw error;
  }
}

const withField = (field: string, value: unknown) => read({ ...number, [field]: value });

describe('the numbers and texts of a check (rule K4)', () => {
  it.each([
    ['waitSeconds', 0, 10],
    ['maxAgeSeconds', 0, 7_776_000],
    ['expiresInHours', 1, 720],
  ])('%s is a whole number from %d to %d', (field, min, max) => {
    const refusal = `400 invalid '${field}' — expected a whole number from ${min} to ${max}`;

    expect(withField(field, min)).toMatchObject({ [field]: min });
    expect(withField(field, max)).toMatchObject({ [field]: max });
    for (const wrong of [min - 1, max + 1, min + 0.5, `${min}`, true, [min], Infinity, NaN]) {
      expect(withField(field, wrong)).toBe(refusal);
    }
  });
});
