import type { Secret } from '../../../platform/config/secret.ts';
import {
  NotDoneInTime,
  systemTimers,
  type Timers,
  unlessAborted,
  withTimeout,
} from '../../../platform/time/timers.ts';
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
 * time are one, and no question waits for it while its token still holds. There is at most one request in a minute. Until the
 * next one, checks end as the last one did: with refused credentials, or with a service that is unavailable. Token and secret are
 * in no error and in no log.
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

  async headers(within: {
    readonly deadlineMs: number;
    readonly signal: AbortSignal;
  }): Promise<Headers | Unanswered> {
    const renewing = this.#renewIfDue();
    const usable = this.#usable();
    if (usable !== undefined) return usable;
    const cutOff = renewing && (await this.#wait(renewing, within));
    return cutOff ?? this.#usable() ?? this.#failure ?? down;
  }

  refused(headers: Headers): void {
    // Many questions may have had the same token, and some of them end after its renewal.
    if (this.#current?.headers !== headers) return;
    this.#current = undefined;
    // Unless a new token is refused as well, it is the token that was refused, and not the application.
    this.#failure = refused;
  }

  /** The headers of the token until its end. */
  #usable(): Headers | undefined {
    const current = this.#current;
    const holds = current !== undefined && this.#timers.now() < current.endsAtMs;
    return holds ? current.headers : undefined;
  }

  /** The renewal that is under way, or that is due and begins now. */
  #renewIfDue(): Promise<void> | undefined {
    const nowMs = this.#timers.now();
    const isFresh = this.#current !== undefined && nowMs < this.#current.renewAtMs;
    const isDue = !isFresh && nowMs - this.#askedAtMs >= intervalMs;
    if (this.#renewing === undefined && isDue) {
      this.#renewing = this.#renew(nowMs).finally(() => (this.#renewing = undefined));
      // Callers may be gone already, and an error would then be handled by none.
      this.#renewing.catch(() => {});
    }
    return this.#renewing;
  }

  /** Waits for the renewal of all callers: one that waits no longer does not end it. Undefined if it has ended. */
  async #wait(
    renewing: Promise<void>,
    { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
  ): Promise<Unanswered | undefined> {
    try {
      await withTimeout(deadlineMs, unlessAborted(signal, renewing), this.#timers);
    } catch (error) {
      if (error instanceof NotDoneInTime) return { kind: 'timedOut' };
      if (!signal.aborted) throw error;
    }
    // A stop says nothing about HMRC.
    return signal.aborted ? { kind: 'failed', failure: 'unreachable' } : undefined;
  }

  async #renew(nowMs: number): Promise<void> {
    this.#askedAtMs = nowMs;
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
      renewAtMs: nowMs + lifetimeMs * usedPart,
      endsAtMs: nowMs + lifetimeMs,
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
      if (error instanceof UpstreamError) return error.kind === 'refused' ? refused : down;
      throw error;
    }
  }
}

/** Reads a token, or throws an `UpstreamError`, which quotes nothing of the answer. */
async function readToken(
  answer: ExchangeAnswer,
): Promise<{ readonly token: string; readonly lifetimeMs: number }> {
  const { status, at } = answer;
  if (status >= 400 && status < 500 && status !== 429) {
    const advice = 'check HMRC_CLIENT_ID and HMRC_CLIENT_SECRET';
    throw new UpstreamError('refused', at, `HTTP ${status}; ${advice}`);
  }
  if (status !== 200) throw new UpstreamError('status', at, `HTTP ${status}, expected 200`);
  const body = (await readJsonAnswer(answer)) ?? {};
  const token = textIn(body['access_token']);
  const seconds = body['expires_in'];
  const isBearer = textIn(body['token_type'])?.toLowerCase() === 'bearer';
  // What is put into a header is visible ASCII.
  const isToken = token !== null && /^[!-~]{1,4096}$/.test(token);
  if (!isToken || !isBearer || typeof seconds !== 'number' || !(seconds > 0)) {
    throw new UpstreamError('schema', at, 'no bearer token with its time in seconds');
  }
  return { token, lifetimeMs: seconds * 1_000 };
}
