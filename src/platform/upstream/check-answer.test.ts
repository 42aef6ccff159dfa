import { expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of.ts';
import { checkHead } from './check-answer.ts';

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
