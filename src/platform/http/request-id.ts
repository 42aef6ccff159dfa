import { randomBytes } from 'node:crypto';

const processPart = randomBytes(6).toString('base64url');
let count = 0;

/** A request id that is unique over processes and costs no random number per request. */
export function nextRequestId(): string {
  count += 1;
  return `${processPart}-${count.toString(36)}`;
}
