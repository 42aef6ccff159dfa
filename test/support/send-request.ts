import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

/** A request that is sent unchanged: only `Host`, `Connection` and the length are added. */
export type TestRequest = {
  /** `GET` by default. */
  readonly method?: string;
  /** The request target, in the spelling that goes over the wire. */
  readonly path: string;
  /** A list sends the header once for each of its values. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
};

/** The unchanged answer. */
export type Answer = {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders;
  /** The body as UTF-8; empty if there is none. */
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
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject).end(body);
  });
}
