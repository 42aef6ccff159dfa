import { expect, it } from 'vitest';
import { nextRequestId } from './request-id.ts';

it('a request id is different for each request, of a fixed length, without a character that is special in a log', () => {
  const ids = Array.from({ length: 1_000 }, nextRequestId);

  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^[\w-]{16}$/);
});
