import { randomBytes } from 'node:crypto';

const processPart = `${randomBytes(6).toString('base64url')}-`;

let count = 0;

/**
 * A new request id, unique over processes: `lJELMY2D-000001c`. It ends in a counter, because random bytes for each
 * request are slow.
 */
export function nextRequestId(): string {
  count += 1;
  return processPart + count.toString(36).padStart(7, '0');
}
