import { addDays, type IsoDate } from '../../src/platform/time/time.ts';
import { UpstreamError } from '../../src/platform/upstream/upstream-error.ts';
import { isPublicationDay } from '../../src/sandbox/ecb/calendar.ts';
import { fieldsOf } from '../journeys/support/fold.ts';
import { withFailingWrite } from './failing-writes.ts';
import type { Invariants, Step } from './invariants.ts';
import type { Operator } from './operator.ts';
import { movesBetween } from './plausibility.ts';
import type { Seeded } from './seeded.ts';
import { trueFields } from './true-rates.ts';
import { mustHold } from './violation.ts';
import { dateAt, type Weather } from './weather.ts';
import type { World } from './world.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const calm: Step = { isRough: false, hasRuns: true };
const rough: Step = { isRough: true, hasRuns: false };
const beside: Step = { isRough: false, hasRuns: false };

type Parts = {
  readonly world: World;
  readonly chance: Seeded;
  readonly weather: Weather;
  readonly operator: Operator;
  readonly invariants: Invariants;
};

/** The simulated days of the service: its requests, its faults, and the operators beside it. */
export class Life {
  readonly #parts: Parts;
  steps = 0;
  restarts = 0;
  /** The last step, for the message of a violation. */
  last = '';

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async liveDay(day: IsoDate): Promise<void> {
    const { world, chance, weather, operator } = this.#parts;
    weather.begin(day);
    this.#turnClock();
    if (chance.chance(0.05) && world.isUp) {
      await this.#do('stop', beside, async () => world.stopService());
    }
    for (const atMs of this.#moments(day)) {
      world.moveTo(atMs);
      if (!world.isUp && chance.chance(0.5)) await this.#restart();
      await this.#tick();
    }
    if (chance.chance(0.15)) {
      // The second answer of a day may differ from the first.
      if (chance.chance(0.4)) weather.move(day);
      await this.#do('command', beside, async () => operator.doSomething());
    }
    if (chance.chance(0.6) && (this.#parts.invariants.rows?.waitingCount ?? 0) > 0) {
      await this.#do('decision', beside, async () => operator.decide());
    }
    if (world.isUp && chance.chance(0.02)) await world.misplaceKey();
  }

  /**
   * Continues without faults until everything that is due is published.
   *
   * Publications that were missed must then be there as if the service had never been down (reliability R6).
   */
  async settle(day: IsoDate): Promise<IsoDate> {
    const { world, weather, operator } = this.#parts;
    weather.clear();
    world.skewMs = 0;
    if (!world.isUp) await this.#restart();
    let today = day;
    for (let left = 6; left > 0; left -= 1) {
      for (const atMs of [ratesMoment(today), fxMoment(today)]) {
        world.moveTo(atMs);
        await this.#do('last days', calm, async () => world.tick());
      }
      await this.#do('last word', beside, async () => operator.approveAll());
      if (left > 1) today = addDays(today, 1);
    }
    const { rates, fx } = this.#parts.invariants.rows ?? { rates: [], fx: [] };
    const newest = rates.findLast(({ origin }) => origin === 'job');
    mustHold(newest?.version === today, () => {
      return `the newest rates on ${today} are of ${newest?.version}`;
    });
    const wrong = movesBetween(
      trueFields(today, world.scenario.state.rates),
      fieldsOf(newest?.body ?? ''),
    );
    mustHold(wrong.length === 0, () => `rates of ${today} are not true: ${JSON.stringify(wrong)}`);
    let due = today;
    while (!isPublicationDay(due)) due = addDays(due, -1);
    const newestFx = fx.at(-1)?.date ?? 'none';
    mustHold(newestFx === due, () => `the newest exchange rates on ${today} are of ${newestFx}`);
    return today;
  }

  /** The first run: today's rates, at any time of day. */
  async begin(atMs: number): Promise<void> {
    const { world, invariants } = this.#parts;
    world.moveTo(atMs);
    await this.#do('first', calm, async () => world.tick());
    const [first] = invariants.rows?.rates ?? [];
    const today = dateAt(atMs, 'Europe/Brussels');
    mustHold(
      first?.version === today,
      () => `the first rates are of ${first?.version} on ${today}`,
    );
  }

  /** Sets the clock of the service's machine a day off; a later day sets it right. */
  #turnClock(): void {
    const { world, chance } = this.#parts;
    if (world.skewMs !== 0 && chance.chance(0.5)) world.skewMs = 0;
    else if (chance.chance(0.03)) world.skewMs = chance.pick([-dayMs, dayMs]);
  }

  #moments(day: IsoDate): number[] {
    const { chance } = this.#parts;
    const moments: number[] = [];
    const midnight = Temporal.PlainDate.from(day).toZonedDateTime('UTC').epochMilliseconds;
    // Clocks in Brussels change at 01:00 UTC; the date changes at midnight there.
    if (chance.chance(0.08)) {
      moments.push(midnight + chance.pick([0, 59, 60, 61, 119]) * minuteMs);
    }
    moments.push(ratesMoment(day) + chance.pick([-1, 0, 0, 0, 1, 4]) * minuteMs);
    if (chance.chance(0.25)) moments.push(ratesMoment(day) + chance.integer(5, 420) * minuteMs);
    moments.push(fxMoment(day));
    if (chance.chance(0.25)) moments.push(fxMoment(day) + chance.integer(1, 300) * minuteMs);
    return moments.sort((a, b) => a - b);
  }

  async #tick(): Promise<void> {
    const { world, chance } = this.#parts;
    if (!world.isUp) return;
    const way = chance.next();
    if (way < 0.04) {
      await this.#do('two ticks at the same time', calm, async () => {
        await Promise.all([world.tick(), world.tick()]);
      });
    } else if (way < 0.1) {
      const nth = chance.integer(1, 9);
      const work = async (): Promise<void> => world.tick().catch(expectRefusedWrite);
      await this.#do(`write ${nth} fails`, rough, async () => withFailingWrite(nth, work));
    } else {
      await this.#do('tick', calm, async () => world.tick());
    }
    if (chance.chance(0.02)) await this.#restart();
  }

  async #restart(): Promise<void> {
    const { world } = this.#parts;
    this.restarts += 1;
    await this.#do('restart', beside, async () => {
      await world.stopService();
      await world.startServer();
    });
  }

  async #do(name: string, step: Step, work: () => Promise<void>): Promise<void> {
    const { world, invariants } = this.#parts;
    this.steps += 1;
    this.last = `${name} at ${new Date(world.nowMs).toISOString()}`;
    if (world.skewMs !== 0) this.last += `, clock ${world.skewMs / dayMs} days off`;
    await work().catch((error: unknown) => {
      // A command fails with an error for its operator if an upstream is down.
      if (!(error instanceof UpstreamError)) throw error;
    });
    await invariants.check(step);
  }
}

/** 07:00 UTC (interface 1). */
function ratesMoment(day: IsoDate): number {
  return Temporal.Instant.from(`${day}T07:00:00Z`).epochMilliseconds;
}

/** 16:05 in Frankfurt. */
function fxMoment(day: IsoDate): number {
  return Temporal.ZonedDateTime.from(`${day}T16:05:00[Europe/Berlin]`).epochMilliseconds;
}

/** The ticker of a server logs it and goes on. */
function expectRefusedWrite(error: unknown): void {
  if (!String(error).includes('disk I/O error')) throw error;
}
