import { Counter, Histogram } from 'prom-client';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { type Clock, formatInstant } from '../../platform/time/time.ts';
import type { Outcome, RegistryOutcome } from '../registries/outcome.ts';
import type { Protected, Protection } from '../calls/protection.ts';
import type { RegistryName, RegistryResult } from '../registries/registry.ts';
import { isViesCode } from '../numbers/vat-number.ts';

/** The health of a Member State's registry since this process started. */
export type MemberStateHealth = {
  lastAnswerAt: string | null;
  lastFailureAt: string | null;
  /** The kind of outcome of the last failure, never a number or a name. */
  lastFailure: string | null;
  /** Failures in a row, 0 after an answer. */
  failures: number;
};

type Parts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly protectionOf: (name: RegistryName) => Protection;
};

/**
 * Counts checks by Member State and outcome, and keeps the health of each. It never receives a VAT number. A registry other
 * than VIES stands in place of a Member State, by its name.
 */
export class CheckMetrics {
  readonly #parts: Parts;
  readonly #checks: Counter<'member_state' | 'outcome'>;
  readonly #seconds: Histogram<'member_state'>;
  readonly #differences: Counter<'member_state' | 'part' | 'difference'>;
  readonly #unreadable: Counter<'registry' | 'member_state' | 'field'>;
  readonly #states = new Map<string, MemberStateHealth>();
  /** Cached answers that the metric does not have yet. */
  readonly #cached = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
    const registers = [parts.metrics.registry];
    this.#checks = new Counter({
      name: 'vatfx_vat_checks_total',
      help: 'VAT checks by Member State and outcome; cached ones never reached the registry.',
      labelNames: ['member_state', 'outcome'] as const,
      registers,
      collect: () => this.#countCached(),
    });
    this.#seconds = new Histogram({
      name: 'vatfx_vat_check_duration_seconds',
      help: 'Time of a VAT check that was not cached, waiting for its turn included.',
      labelNames: ['member_state'] as const,
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#differences = new Counter({
      name: 'vatfx_vat_check_echo_differences_total',
      help: 'Answers of the registry whose country or number is not as queried: only in form, or another one.',
      labelNames: ['member_state', 'part', 'difference'] as const,
      registers,
    });
    this.#unreadable = new Counter({
      name: 'vatfx_vat_check_unreadable_fields_total',
      help: 'Answers of the registry with a field that could not be read, or was missing, and is null: its form has changed.',
      labelNames: ['registry', 'member_state', 'field'] as const,
      registers,
    });
  }

  /** Counts a cached answer, in a map first: to find a counter by its labels takes longer than to find the answer. */
  cached(state: string): void {
    this.#cached.set(state, (this.#cached.get(state) ?? 0) + 1);
  }

  #countCached(): void {
    for (const [state, count] of this.#cached) {
      this.#checks.inc({ member_state: state, outcome: 'cached' }, count);
    }
    this.#cached.clear();
  }

  /** Counts a check that was not cached, and writes its end to the health of its Member State. */
  ended(state: string, ended: Protected<RegistryOutcome | Outcome>, durationMs: number): void {
    const outcome = nameOutcome(ended);
    this.#checks.inc({ member_state: state, outcome });
    this.#seconds.observe({ member_state: state }, durationMs / 1_000);
    if (ended.kind !== 'called') return;

    const health = this.#healthOf(state);
    const at = formatInstant(this.#parts.clock.now());
    const { kind } = ended.outcome;
    if (kind === 'answered' || kind === 'rejected' || kind === 'requesterRejected') {
      health.lastAnswerAt = at;
      health.failures = 0;
    } else {
      health.lastFailureAt = at;
      health.lastFailure = outcome;
      health.failures += 1;
    }
  }

  /**
   * Counts how an answer differs from its query, and its elements that could not be read. An answer about another number is
   * logged, without the numbers.
   */
  differed(
    state: string,
    { differences, unreadable = [] }: Pick<RegistryResult, 'differences' | 'unreadable'>,
  ): void {
    const registry = isViesCode(state) ? 'vies' : state;
    for (const field of unreadable) {
      this.#unreadable.inc({ registry, member_state: state, field });
    }
    for (const { part, difference } of differences) {
      this.#differences.inc({ member_state: state, part, difference });
      if (difference !== 'other') continue;
      const detail = { memberState: state, part };
      this.#parts.log.warn(detail, 'the registry answered about another VAT number');
    }
  }

  /** VIES in `/status`: its breaker, its block of this service if there is one, and each Member State that was queried. */
  describe(): Record<string, unknown> {
    const protection = this.#parts.protectionOf('vies');
    const states = [...this.#states]
      .filter(([state]) => isViesCode(state))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([state, health]) => [state, { ...health, breaker: protection.breakerOf(state) }]);
    return {
      breaker: protection.serviceBreaker,
      ...describeBlock(protection),
      memberStates: Object.fromEntries(states),
    };
  }

  /** Another registry in `/status`: its breaker, its block of this service, and its health. */
  describeOther(name: RegistryName): Record<string, unknown> {
    const protection = this.#parts.protectionOf(name);
    const breaker = protection.breakerOf(name);
    return { breaker, ...describeBlock(protection), ...this.#healthOf(name) };
  }

  #healthOf(state: string): MemberStateHealth {
    const none = { lastAnswerAt: null, lastFailureAt: null, lastFailure: null, failures: 0 };
    return this.#states.getOrInsert(state, none);
  }
}

function describeBlock({ block: { block } }: Protection) {
  return {
    blockedUntil: block === undefined ? null : formatInstant(block.untilMs),
    reason: block?.reason ?? null,
  };
}

function nameOutcome(ended: Protected<RegistryOutcome | Outcome>): string {
  if (ended.kind === 'refused') return `refused_by_${ended.by}`;
  if (ended.kind === 'cancelled') return 'timedOut';
  const { outcome } = ended;
  switch (outcome.kind) {
    case 'answered':
      return outcome.answer.valid ? 'valid' : 'not_on_file';
    case 'memberStateUnavailable':
    case 'serviceUnavailable':
      return `${outcome.kind}_${outcome.because}`;
    case 'failed':
      return `failed_${outcome.failure}`;
    case 'rejected':
    case 'requesterRejected':
    case 'timedOut':
      return outcome.kind;
  }
}
