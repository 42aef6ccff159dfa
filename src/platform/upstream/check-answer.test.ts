import { expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of.ts';
import { checkHead, readMadeAt } from './check-answer.ts';

/** What `checkHead` throws for an answer with this status, type and location. */
function refusal(status: number, type?: string, location?: string): string | undefined {
  const headers = Object.entries({ 'content-type': type, location }).filter(([, text]) => text);
  const answer = answerOf('', { status, headers: Object.fromEntries(headers) as {} });
  try {
    checkHead(answer, { statuses: [200, 304], variable: 'ECB_URL' });
    return undefined;
  } catch (error) {
    const { kind, message } = error as { kind: string; message: string };
    return `${kind}: ${message}`;
  }
}

it.each([
  [200, 'text/xml;charset=UTF-8', undefined],
  [304, undefined, undefined],
  [200, 'text/xhtmlish', undefined],
  [302, undefined, 'redirected: tedb: query: HTTP 302 to an unnamed address; set ECB_URL'],
  [300, undefined, 'redirected: tedb: query: HTTP 300 to an unnamed address'],
  [308, 'text/html', 'redirected: tedb: query: HTTP 308'],
  [200, 'text/html; charset=UTF-8', 'html: tedb: query: HTTP 200 with a web page instead of data'],
  [503, 'TEXT/HTML', 'html: tedb: query: HTTP 503 with a web page'],
  [503, 'text/xml', 'status: tedb: query: HTTP 503, expected 200 or 304'],
  [206, undefined, 'status: tedb: query: HTTP 206, expected 200 or 304'],
])('the head %d %s is refused as: %s', (status, type, expected) => {
  const refused = refusal(status, type);

  expect(refused?.slice(0, expected?.length)).toBe(expected);
});

it('names the address of a redirect', () => {
  expect(refusal(301, '', 'https://new.example/')).toContain(
    'HTTP 301 to https://new.example/; set ECB_URL to the new address if it is the right one',
  );
});

const at = (time: string): number => Date.parse(`2026-03-04T${time}Z`);

it.each<[string, Record<string, string>, string]>([
  ['at its Date', { date: 'Wed, 04 Mar 2026 11:59:00 GMT' }, '11:59:00'],
  ['when it arrived, without a Date', {}, '12:00:00'],
  ['when it arrived, if its Date is later', { date: 'Wed, 04 Mar 2026 12:30:00 GMT' }, '12:00:00'],
  ['Age before it arrived', { age: '3600', date: 'Wed, 04 Mar 2026 12:00:00 GMT' }, '11:00:00'],
  [
    'at its Date, if that is earlier',
    { age: '60', date: 'Wed, 04 Mar 2026 10:00:00 GMT' },
    '10:00:00',
  ],
  ['by the first of several ages', { age: '3600, 7200' }, '11:00:00'],
  ['when it arrived, with an Age that is no number', { age: 'old' }, '12:00:00'],
])('an answer was made %s (rule N7b)', (_, headers, made) => {
  expect(readMadeAt({ header: (name) => headers[name] }, at('12:00:00'))).toBe(at(made));
});
