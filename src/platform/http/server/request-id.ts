import { randomBytes } from 'node:crypto';

const processPart = `${randomBytes(6).toString('base64url')}-`;
const digits = '0123456789abcdefghijklmnopqrstuvwxyz';
const countChars = 7;

/** The length of every request id. */
const requestIdChars = processPart.length + countChars;

let count = 0;

/** The number of a new request in this process: a counter, because random bytes for each request are slow. */
export function nextRequestNumber(): number {
  count += 1;
  return count;
}

/** The id of a request, unique over processes: `lJELMY2D-000001c`. */
export function formatRequestId(number: number): string {
  return processPart + number.toString(36).padStart(countChars, '0');
}

/** A new request id. */
export function nextRequestId(): string {
  return formatRequestId(nextRequestNumber());
}

/** Overwrites the request id at a place in `bytes`, which must hold another id of this process. */
export function writeRequestId(bytes: Buffer, at: number, number: number): void {
  let rest = number;
  for (let place = at + requestIdChars - 1; place >= at + processPart.length; place -= 1) {
    bytes[place] = digits.charCodeAt(rest % 36);
    rest = Math.floor(rest / 36);
  }
}
