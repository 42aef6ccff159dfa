import { describe, expect, it } from 'vitest';
import { unknownField, unknownParameter } from './api-errors.ts';

describe('an error that quotes a name of the request (contract C35)', () => {
  it.each([
    ['parameter', unknownParameter],
    ['field', unknownField],
  ])('repeats no more than 100 characters of a %s', (what, make) => {
    const error = make('x'.repeat(1_000));

    expect(JSON.parse(error.body)).toEqual({ error: `unknown ${what} '${'x'.repeat(100)}'` });
    expect(error.status).toBe(400);
  });
});
