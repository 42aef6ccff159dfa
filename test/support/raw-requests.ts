import type { RawAnswer, RawConnection } from './raw-connection.ts';

/**
 * Requests as bytes. `{key}` stands for the ready key, which is not known before the service runs.
 */
export const host = 'Host: x\r\n';
export const auth = 'Authorization: Bearer {key}\r\n';
export const head = `GET /rates HTTP/1.1\r\n${host}${auth}`;
export const good = `${head}\r\n`;
export const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;

/** Reads answers until the server ends the connection. */
export async function readAll(connection: RawConnection): Promise<readonly RawAnswer[]> {
  const answers: RawAnswer[] = [];
  for (let answer; (answer = await connection.read()) !== undefined;) answers.push(answer);
  return answers;
}

type RawErrorForm = Readonly<Record<string, unknown>>;

/** The form of an answer: `expect(rawFormOf(answer)).toEqual(rawErrorForm(…))`. */
export function rawFormOf({ status, text, headers }: RawAnswer): RawErrorForm {
  return {
    status,
    text,
    contentType: headers.get('content-type'),
    cacheControl: headers.get('cache-control'),
    connection: headers.get('connection'),
    hasRequestId: /^[\w-]{8,}$/.test(headers.get('x-request-id') ?? ''),
  };
}

/** The required form of an error that ends its connection (contract C2). */
export function rawErrorForm(status: number, error: string): RawErrorForm {
  return {
    status,
    text: JSON.stringify({ error }),
    contentType: 'application/json; charset=utf-8',
    cacheControl: 'no-store',
    connection: 'close',
    hasRequestId: true,
  };
}
