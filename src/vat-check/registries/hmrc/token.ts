import type { Secret } from '../../../platform/config/secret.ts';
import { systemTimers, type Timers, unlessAborted } from '../../../platform/time/timers.ts';
import type { ExchangeAnswer } from '../../../platform/upstream/exchange.ts';
import type { Upstream } from '../../../platform/upstream/upstream.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import { readJsonAnswer, textIn } from '../json-answer.ts';
import type { Unanswered } from '../outcome.ts';
import type { Authorization } from '../registry.ts';

/** The part of its time after which a token is renewed. */
const usedPart = 0.8;
/** The least time between two requests for a token. */
const intervalMs = 60_000;
const deadlineMs = 10_000;
const bodyBytesMax = 65_536;

const refused: Unanswered = { kind: 'failed', failure: 'credentialsRefused' };
const down: Unanswered = { kind: 'serviceUnavailable', because: 'down' };

type Headers = Readonly<Record<string, string>>;

type Parts = {
  readonly upstream: Pick<Upstream, 'exchange'>;
  /** HMRC_URL. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly timers?: Timers;
  /** Aborted when the process stops. */
  readonly closing?: AbortSignal;
};

/**
 * The token of the operator's application at HMRC (rule M8): OAuth 2.0 client credentials.
 *
 * A process has one. It is renewed at 80 % of its time, and once after HMRC has refused it; renewals that are wanted at the same
 * time are one, and there is at most one in a minute. Until the next one, checks end as the last one did: with refused
 * credentials, or with a service that is unavailable. Token and secret are in no error and in no log.
 */
export class HmrcToken implements Authorization {
  readonly #parts: Parts;
  readonly #timers: Timers;
  #current:
    | { readonly headers: Headers; readonly renewAtMs: number; readonly endsAtMs: number }
    | undefined;
  #failure: Unanswered | undefined;
  #askedAtMs = -Infinity;
  #renewing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timers = parts.timers ?? systemTimers;
  }

  async headers({ signal }: { readonly signal: AbortSignal }): Promise<Headers | Unanswered> {
    const nowMs = this.#timers.now();
    const isDue = this.#current === undefined || nowMs >= this.#current.renewAtMs;
    if (isDue && (this.#renewing !== undefined || nowMs - this.#askedAtMs >= intervalMs)) {
      // The renewal is of all callers: one that waits no longer does not end it.
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
      await unlessAborted(signal, this.#renewing).catch(() => {});
    }
    const current = this.#current;
    if (current !== undefined && this.#timers.now() < current.endsAtMs) return current.headers;
    return this.#failure ?? down;
  }

  refused(headers: Headers): void {
    if (this.#current?.headers !== headers) return;
    this.#current = undefined;
    // Unless a new token is refused as well, it is the token that was refused, and not the application.
    this.#failure = refused;
  }

  async #renew(): Promise<void> {
    this.#askedAtMs = this.#timers.now();
    const result = await this.#request();
    if ('kind' in result) {
      this.#failure = result;
      if (result.kind === 'failed') this.#current = undefined;
      return;
    }
    const { token, lifetimeMs } = result;
    this.#failure = undefined;
    this.#current = {
      headers: { authorization: `Bearer ${token}` },
      renewAtMs: this.#askedAtMs + lifetimeMs * usedPart,
      endsAtMs: this.#askedAtMs + lifetimeMs,
    };
  }

  async #request(): Promise<Unanswered | { readonly token: string; readonly lifetimeMs: number }> {
    const { upstream, url, clientId, clientSecret, closing } = this.#parts;
    const secret = clientSecret.readAgain() ?? clientSecret;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'read:vat',
      client_id: clientId,
      client_secret: secret.reveal(),
    });
    try {
      return await upstream.exchange(
        {
          operation: 'token',
          url: `${url}/oauth/token`,
          method: 'POST',
          headers: {
            accept: 'application/json',
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: form.toString(),
          deadlineMs,
          bodyBytesMax,
          signal: closing ?? new AbortController().signal,
        },
        readToken,
      );
    } catch (error) {
      if (error instanceof UpstreamError) return down;
      throw error;
    }
  }
}

async function readToken(
  answer: ExchangeAnswer,
): Promise<Unanswered | { readonly token: string; readonly lifetimeMs: number }> {
  const { status } = answer;
  if (status >= 400 && status < 500 && status !== 429) return refused;
  const body = (await readJsonAnswer(answer)) ?? {};
  const token = textIn(body['access_token']);
  const seconds = body['expires_in'];
  const isBearer = textIn(body['token_type'])?.toLowerCase() === 'bearer';
  // What is put into a header is visible ASCII.
  const isToken = token !== null && /^[!-~]{1,4096}$/.test(token);
  if (status !== 200 || !isToken || !isBearer || typeof seconds !== 'number' || !(seconds > 0)) {
    return down;
  }
  return { token, lifetimeMs: seconds * 1_000 };
}
