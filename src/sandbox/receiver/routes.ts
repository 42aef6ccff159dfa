import type { IncomingMessage, ServerResponse } from 'node:http';

import { type Answer, jsonAnswer, parseJson, dated, waitWhileOpen } from '../transport/answer.ts';
import type { DeliveryAnswer } from './receiver.ts';
import { readReceiverScript } from './script.ts';
import { isReceiverName, nameExpected, type Receivers } from './receivers.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { sendAnswer } from '../transport/faults.ts';

/** The path of all receivers; a receiver's name follows it. */
export const receiverPath = '/receiver/';

export interface ReceiverRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** The body as it was sent. */
  readonly bytes: Buffer;
}

/** `/receiver/{name}`: POST is a delivery, GET shows the receiver, PUT scripts it, DELETE forgets it. */
export async function handleReceiver(
  scenario: Scenario,
  receivers: Receivers,
  { request, response, path, bytes }: ReceiverRequest,
): Promise<void> {
  const name = path.slice(receiverPath.length);
  if (request.method !== 'POST' || !isReceiverName(name)) {
    const answer = answerAbout(receivers, name, request.method ?? '', bytes);
    return sendAnswer(response, answer, 'none');
  }

  const receiver = receivers.findOrAdd(name);
  if (receiver === undefined) return sendAnswer(response, full, 'none');
  const answer = receiver.receive(request.headers, bytes);
  await waitWhileOpen(response, answer.delayMs ?? 0);
  if (response.destroyed) return;
  if (answer.reset === true) return void request.socket.resetAndDestroy();
  await sendAnswer(response, dated(print(answer), scenario.clock), faultOf(answer));
}

function answerAbout(receivers: Receivers, name: string, method: string, bytes: Buffer): Answer {
  if (!isReceiverName(name)) {
    return jsonAnswer(404, { error: `got ${name}, expected a name of ${nameExpected}` });
  }
  switch (method) {
    case 'GET':
    case 'HEAD':
      return show(receivers, name);
    case 'PUT':
      return script(receivers, name, bytes);
    case 'DELETE':
      receivers.forget(name);
      return show(receivers, name);
    default:
      return jsonAnswer(405, { error: `got ${method}, expected GET, POST, PUT or DELETE` });
  }
}

/** Shows a receiver without making it. */
function show(receivers: Receivers, name: string): Answer {
  const nothing = { name, secrets: 0, answer: {}, received: [] };
  return jsonAnswer(200, receivers.find(name)?.describe() ?? nothing);
}

function script(receivers: Receivers, name: string, bytes: Buffer): Answer {
  const input = parseJson(bytes.toString());
  if (input === undefined) {
    return jsonAnswer(400, {
      error:
        'the body is not JSON, expected an object like {"answer": {"status": 503, "times": 2}}',
    });
  }
  const read = readReceiverScript(input);
  if (read.kind === 'invalid') return jsonAnswer(400, { error: read.problems.join('; ') });

  const receiver = receivers.findOrAdd(name);
  if (receiver === undefined) return full;
  receiver.apply(read.script);
  return show(receivers, name);
}

const full = jsonAnswer(503, {
  error: 'there are 1000 receivers already; DELETE those not needed',
});

function print({ status, retryAfter, redirectTo, body, drip }: DeliveryAnswer): Answer {
  // A drip needs at least one byte to repeat.
  const content = drip === true ? body || 'and so on, ' : body;
  return {
    status,
    headers: {
      ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
      ...(redirectTo === undefined ? {} : { Location: redirectTo }),
      ...(content === undefined ? {} : { 'Content-Type': 'text/plain; charset=utf-8' }),
    },
    ...(content === undefined ? {} : { body: content }),
  };
}

function faultOf({ hang, drip }: DeliveryAnswer): 'hang' | 'drip' | 'none' {
  if (hang === true) return 'hang';
  return drip === true ? 'drip' : 'none';
}
