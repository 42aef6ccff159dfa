import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A request that is sent unchanged: only `Host`, `Connection` and the length are added. */
export type TestRequest = {
  /** `GET` by default. */
  readonly method?: string;
  /** The request target, in the spelling that goes over the wire. */
  readonly path: string;
  /** A list sends the header once for each of its values. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
};

/** The unchanged answer. */
export type Answer = {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
  /** The body as UTF-8, without its content coding; empty if there is none. */
  readonly text: string;
};

/** Sends a request to a server and reads its answer to the end. */
export async function sendRequest(
  url: string,
  question: TestRequest,
  agent: Agent,
): Promise<Answer> {
  const { method = 'GET', path, body } = question;
  // For some methods Node would send a body without saying so.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const headers = { ...length, ...question.headers } as Record<string, string>;
  const { hostname, port } = new URL(url);
  return new Promise<Answer>((resolve, reject) => {
    const sent = request({ hostname, port, method, path, agent, headers }, (response) => {
      const { statusCode: status = 0, headers: given } = response;
      buffer(response)
        .then((bytes) => decode(bytes, given['content-encoding']).toString())
        .then((text) => resolve({ status, headers: given, text }), reject);
    });
    sent.on('error', reject).end(body);
  });
}

function decode(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0 || coding === undefined) return bytes;
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}
