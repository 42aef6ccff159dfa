import { createHmac } from 'node:crypto';

import type { ReceiverAnswer } from '../../../src/sandbox/receiver/script.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { SettableClock } from '../settable-clock.ts';
import { openSandbox } from './open-sandbox.ts';

/** Signed deliveries for the tests of the webhook receivers, written from Standard Webhooks 1.0. */

export const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
export const otherSecret = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export const noonSeconds = Date.parse('2026-11-20T12:00:00Z') / 1_000;

/** A sandbox in which it is noon of 20 November 2026. */
export async function openAtNoon(): Promise<{ sandbox: Sandbox; clock: SettableClock }> {
  return openSandbox({ brief: true });
}

export function signed(
  options: {
    readonly id?: string;
    readonly seconds?: number;
    readonly body?: string | Buffer;
    readonly secrets?: readonly string[];
  } = {},
): Delivery {
  const { id = 'evt_1', seconds = noonSeconds, body = '{"count":1}', secrets = [secret] } = options;
  const signatures = secrets.map((one) => {
    const key = Buffer.from(one.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
  });
  return {
    body: Buffer.from(body),
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatures.join(' '),
    },
  };
}

export async function send(
  sandbox: Sandbox,
  name: string,
  { headers, body }: Delivery = signed(),
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(sandbox.receiverUrl(name), {
    method: 'POST',
    headers,
    body: Buffer.from(body),
    redirect: 'manual',
    signal: signal ?? null,
  });
}

/** A sandbox whose receiver `shop` has a scripted answer. */
export async function openAnswering(answer: ReceiverAnswer): Promise<Sandbox> {
  const { sandbox } = await openAtNoon();
  sandbox.receivers.named('shop').apply({ secrets: [secret], answer });
  return sandbox;
}

export const forged = signed({ secrets: [otherSecret] });
