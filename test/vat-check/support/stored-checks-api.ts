import type { PrintedCheck } from '../../../src/vat-check/stored/print-check.ts';
import type { Answer, TestRequest } from '../../support/send-request.ts';

/** A caller of the API: a service with its ready key, or a caller with a key of its own. */
type Sender = { readonly key: string; sendRequest(question: TestRequest): Promise<Answer> };

export const austrian = { countryCode: 'AT', vatNumber: 'U99999901' } as const;
export const requester = { countryCode: 'NL', vatNumber: '854265259B01' } as const;

/** Sends a request to `/vatchecks` or below it. */
export async function sendToChecks(
  sender: Sender,
  method: string,
  path = '',
  {
    body,
    headers = {},
  }: { readonly body?: unknown; readonly headers?: TestRequest['headers'] } = {},
): Promise<Answer> {
  return sender.sendRequest({
    method,
    path: `/vatchecks${path}`,
    headers: { authorization: `Bearer ${sender.key}`, ...headers },
    ...(body === undefined ? {} : { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
  });
}

function isSentAsItIs(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Creates a check. */
export async function postCheck(
  sender: Sender,
  body: unknown = austrian,
  headers: TestRequest['headers'] = {},
): Promise<{ readonly answer: Answer; readonly check: PrintedCheck }> {
  const answer = await sendToChecks(sender, 'POST', '', { body, headers });
  return { answer, check: JSON.parse(answer.text) as PrintedCheck };
}

/** Reads a check. */
export async function getCheck(sender: Sender, id: string, query = ''): Promise<PrintedCheck> {
  const answer = await sendToChecks(sender, 'GET', `/${id}${query}`);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text) as PrintedCheck;
}

/** Creates a batch: of an object as JSON, of a text or bytes as they are. */
export async function postBatch(
  sender: Sender,
  body: object | string,
  headers: TestRequest['headers'] = {},
): Promise<{
  readonly answer: Answer;
  readonly batch: {
    readonly batchId: string;
    readonly count: number;
    readonly skipped: readonly unknown[];
  };
}> {
  const answer = await sendToChecks(sender, 'POST', '/batch', { body, headers });
  return { answer, batch: JSON.parse(answer.text) as never };
}
