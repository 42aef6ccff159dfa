import type { IncomingHttpHeaders } from 'node:http';

import { Webhook } from 'standardwebhooks';

import { type Clock, formatInstant } from '../../platform/time/time.ts';
import { parseJson } from '../transport/answer.ts';
import { checkSignature, type Verdict } from './signature.ts';
import type { ReceiverAnswer, ReceiverScript } from './script.ts';

/** A delivery as `GET /receiver/{name}` shows it. */
export interface Received {
  /** An ISO instant on the sandbox's clock. */
  readonly receivedAt: string;
  /** The headers `webhook-id` and `webhook-timestamp`; null without. */
  readonly id: string | null;
  readonly timestamp: string | null;
  /** Null if the receiver has no secret to verify with. */
  readonly verified: boolean | null;
  /** The reason if `verified` is false. */
  readonly why?: string;
  /** Parsed if it is JSON, else the text. */
  readonly body: unknown;
  /** Whether an earlier delivery, verified or not, had the id; the newest 100,000 ids are known. */
  readonly seenBefore: boolean;
  /** The status of the answer, which may be delayed; null if there is no answer. */
  readonly answeredStatus: number | null;
}

/** A delivery with the bytes of its body. */
export type RawReceived = Received & { readonly bytes: Buffer };

const deliveriesKept = 1_000;
const idsKept = 100_000;

/** A webhook receiver that verifies and keeps deliveries, and answers as scripted. */
export class Receiver {
  readonly name: string;
  readonly #clock: Clock;
  readonly #received: RawReceived[] = [];
  readonly #ids = new Set<string>();
  #webhooks: readonly Webhook[] = [];
  #answer: ReceiverAnswer = {};

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
  }

  /** Oldest first, the newest 1,000. */
  get received(): readonly RawReceived[] {
    return this.#received;
  }

  /** Replaces the secrets, the answer or both; throws on a secret that is not in base64. */
  apply({ secrets, answer }: ReceiverScript): void {
    if (secrets !== undefined) this.#webhooks = secrets.map((secret) => new Webhook(secret));
    if (answer !== undefined) this.#answer = answer;
  }

  /** Keeps a delivery and returns the answer to it. */
  receive(headers: IncomingHttpHeaders, bytes: Buffer): DeliveryAnswer {
    const nowMs = this.#clock.now();
    const id = headers['webhook-id']?.toString() ?? null;
    const text = bytes.toString();
    const verdict = checkSignature(this.#webhooks, { headers, bytes }, nowMs);
    const answer = this.#takeAnswer(verdict);

    this.#received.push({
      receivedAt: formatInstant(nowMs),
      id,
      timestamp: headers['webhook-timestamp']?.toString() ?? null,
      ...verdict,
      body: parseJson(text) ?? text,
      seenBefore: id !== null && this.#ids.has(id),
      answeredStatus: answer.hang === true || answer.reset === true ? null : answer.status,
      bytes,
    });
    if (this.#received.length > deliveriesKept) this.#received.shift();
    if (id !== null) this.#remember(id);
    return answer;
  }

  /** The form of `GET /receiver/{name}`. */
  describe(): object {
    return {
      name: this.name,
      secrets: this.#webhooks.length,
      answer: this.#answer,
      received: this.#received.map(({ bytes: _bytes, ...shown }) => shown),
    };
  }

  #takeAnswer(verdict: Verdict): DeliveryAnswer {
    const answer = this.#answer;
    const { times } = answer;
    if (typeof times === 'number') {
      this.#answer = times > 1 ? { ...answer, times: times - 1 } : {};
    }
    return { ...answer, status: answer.status ?? usualStatus(answer, verdict) };
  }

  #remember(id: string): void {
    this.#ids.add(id);
    const [oldest = ''] = this.#ids;
    if (this.#ids.size > idsKept) this.#ids.delete(oldest);
  }
}

/** The answer to one delivery, with its status. */
export type DeliveryAnswer = ReceiverAnswer & { readonly status: number };

function usualStatus(answer: ReceiverAnswer, { verified }: Verdict): number {
  if (answer.redirectTo !== undefined) return 302;
  if (verified === false) return 401;
  return answer.body !== undefined || answer.drip === true ? 200 : 204;
}
