import type { Operation } from '../../openapi/support/document.ts';
import type { Credential, Headers } from './credentials.ts';

/** The meaning of a request of the fuzz, from which its bytes follow. */
export type FuzzQuestion = {
  /** The operation of the path; undefined for an unknown path. */
  readonly operation: Operation | undefined;
  /** Sometimes another method than the operation's. */
  readonly method: string;
  /** Values of `{date}` and other parameters of the path, before they are encoded. */
  readonly ids: Readonly<Record<string, string>>;
  /** Before it is encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  readonly credential: Credential;
  /** Beside those of the credential. */
  readonly headers: Headers;
  /** The request target as it is sent. */
  readonly target: string;
  /** Which of the current ETags If-None-Match names; `any` for `*`. */
  readonly validator: 'none' | 'current' | 'any';
};

/** The target in the coding that a request accepts: a body has an ETag for each. */
export function variantOf(target: string, headers: Headers): string {
  return `${target} ${String(headers['accept-encoding'])}`;
}

/** The request as `service.sendRequest` takes it. */
export function toRequest(question: FuzzQuestion): {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
} {
  const { method, target, credential, headers, body } = question;
  return {
    method,
    path: target,
    headers: { ...headers, ...credential.headers },
    ...(body === undefined ? {} : { body }),
  };
}

/** One line that describes the request; it names the key without showing it. */
export function printQuestion(question: FuzzQuestion): string {
  const { method, target, credential, headers, body } = question;
  const keyless = credential.query.reduce(
    (text, [name, key]) => text.replace(`${name}=${key}`, `${name}=<key>`),
    target,
  );
  return [
    `${method} ${shorten(keyless)}`,
    `with the key: ${credential.name}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${shorten(String(value))}`),
    ...(body === undefined ? [] : [`body ${shorten(body)}`]),
  ].join(' | ');
}

function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 250)}… (${text.length} characters)`;
}
