import type { Answer } from './send-request.ts';

/** The promised form of every error (contract C2), as one comparable value. */
export type ErrorForm = {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | undefined;
  readonly contentLength: string | undefined;
  readonly cacheControl: string | undefined;
  readonly etag: string | undefined;
  readonly hasRequestId: boolean;
};

/** The form of an answer: `expect(formOf(answer)).toEqual(errorForm(404, 'not found'))`. */
export function formOf({ status, headers, text }: Answer): ErrorForm {
  return {
    status,
    text,
    contentType: headers['content-type'],
    contentLength: headers['content-length'],
    cacheControl: headers['cache-control'],
    etag: headers['etag'],
    hasRequestId: /^[\w-]{8,}$/.test(String(headers['x-request-id'])),
  };
}

/** The required form of an error. */
export function errorForm(status: number, error: string): ErrorForm {
  const text = JSON.stringify({ error });
  return {
    status,
    text,
    contentType: 'application/json; charset=utf-8',
    contentLength: String(Buffer.byteLength(text)),
    cacheControl: 'no-store',
    etag: undefined,
    hasRequestId: true,
  };
}
