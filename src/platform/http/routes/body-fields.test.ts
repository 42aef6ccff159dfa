import { expect, it } from 'vitest';
import { unknownField } from '../responses/api-errors.ts';
import { readFields } from './body-fields.ts';

it('names the first unknown field', () => {
  expect(() => readFields({ a: 1, z: 1, y: 1 }, ['a', 'b'])).toThrow(unknownField('z'));
});
