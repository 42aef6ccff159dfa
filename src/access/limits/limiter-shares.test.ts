import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitedKey, openLimiter } from '../../../test/support/open-limiter.ts';
import { SlidingWindow } from './sliding-window.ts';

/** More than anybody is let through. */
const many = 60;
const stepMs = 100;

describe('shares of a rate limit beside a list of every charge (contract C26, R21)', () => {
  /** Replicas that hear of each other with each request, until they are alone. */
  class SharingReplicas {
    readonly #replicas;
    readonly #key;
    readonly #rateLimit: number;
    /** The moment of every request that was let through. */
    readonly #list: number[] = [];
    #nowMs = 0;

    constructor(count: number, rateLimit: number) {
      this.#replicas = Array.from({ length: count }, () => ({
        ...openLimiter(),
        recent: new SlidingWindow(),
        heard: 0,
      }));
      this.#rateLimit = rateLimit;
      this.#key = limitedKey({ rateLimit });
    }

    get count(): number {
      return this.#replicas.length;
    }

    advance(tenths: number): void {
      this.#nowMs += tenths * stepMs;
      for (const { clock } of this.#replicas) clock.advance(tenths * stepMs);
    }

    /** What the shared count decides. */
    chargeTogether(at: number, times: number): void {
      const replica = this.#replicas[at % this.count];
      if (replica === undefined) return;
      for (let n = 0; n < times; n += 1) {
        if (this.lastMinute() < this.#rateLimit) this.#list.push(this.#nowMs);
        const added = this.#list.length - replica.heard;
        replica.recent.follow({ added, total: this.lastMinute() }, replica.clock.now());
        replica.heard = this.#list.length;
      }
    }

    /** What each lets through by itself. */
    async chargeAlone(at: number, times: number): Promise<void> {
      const replica = this.#replicas[at % this.count];
      if (replica === undefined) return;
      const shared = { recent: replica.recent, weight: this.count };
      for (let n = 0; n < times; n += 1) {
        const refusal = await replica.limiter.charge(this.#key, 1, shared);
        if (refusal === undefined) this.#list.push(this.#nowMs);
      }
    }

    async saturate(): Promise<void> {
      for (let at = 0; at < this.count; at += 1) await this.chargeAlone(at, many);
    }

    lastMinute(slackMs = 0): number {
      return this.#list.filter((atMs) => this.#nowMs < atMs + 60_000 + slackMs).length;
    }
  }

  const anyStep = fc.record({
    tenths: fc.oneof(fc.nat(20), fc.nat(250), fc.constantFrom(599, 600, 601)),
    at: fc.nat(4),
    times: fc.integer({ min: 1, max: 12 }),
  });
  const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 25 });
  const anyReplicas = fc.record({
    count: fc.integer({ min: 2, max: 5 }),
    rateLimit: fc.integer({ min: 1, max: 50 }),
  });

  it('let no more through than the limit and a request for each, however uneven the load was', async () => {
    await fc.assert(
      fc.asyncProperty(anyReplicas, anySteps, anySteps, async (of, before, after) => {
        const replicas = new SharingReplicas(of.count, of.rateLimit);
        for (const { tenths, at, times } of before) {
          replicas.advance(tenths);
          replicas.chargeTogether(at, times);
        }
        for (let at = 0; at < of.count; at += 1) replicas.chargeTogether(at, 1);

        for (const { tenths, at, times } of after) {
          await replicas.chargeAlone(at, times);
          expect(replicas.lastMinute()).toBeLessThan(of.rateLimit + of.count);
          replicas.advance(tenths);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('let all of the limit through where each has heard of everything', async () => {
    await fc.assert(
      fc.asyncProperty(anyReplicas, anySteps, anySteps, async (of, before, after) => {
        const replicas = new SharingReplicas(of.count, of.rateLimit);
        for (const { tenths, at, times } of before) {
          replicas.advance(tenths);
          replicas.chargeTogether(at, times);
          for (let other = 0; other < of.count; other += 1) replicas.chargeTogether(other, 1);
        }

        for (const { tenths } of after) {
          await replicas.saturate();
          expect(replicas.lastMinute(200)).toBeGreaterThanOrEqual(of.rateLimit);
          expect(replicas.lastMinute()).toBeLessThan(of.rateLimit + of.count);
          replicas.advance(tenths);
        }
      }),
      { numRuns: 100 },
    );
  });
});
