import { dataSetKinds } from '../../src/platform/publication/data-set-kinds.ts';
import { AnswerInvariants } from './answer-invariants.ts';
import type { Seeded } from './seeded.ts';
import { StoredInvariants } from './stored-invariants.ts';
import { readRows, type StoredRows } from './stored-rows.ts';
import { mustHold } from './violation.ts';
import { dateAt } from './weather.ts';
import type { World } from './world.ts';
import { publishers } from '../support/publishers.ts';
import { setViesFault } from '../support/sandbox/scripts.ts';

/** The way in which a step may have disturbed the runs: it ended them early, or prevented their rows. */
export type Step = { readonly isRough: boolean; readonly hasRuns: boolean };

/** Checks all invariants after each step; throws the first violation. */
export class Invariants {
  readonly #world: World;
  readonly #chance: Seeded;
  readonly #stored = new StoredInvariants();
  readonly #answers: AnswerInvariants;
  #runCount = 0;
  /** Runs that a rough step left open, which the next run of their job closes. */
  #openMax = 0;
  rows: StoredRows | undefined;

  constructor(world: World, chance: Seeded) {
    this.#world = world;
    this.#chance = chance;
    this.#answers = new AnswerInvariants(world);
  }

  get runCount(): number {
    return this.#runCount;
  }

  get finalCount(): number {
    return this.#answers.finalCount;
  }

  async check(step: Step): Promise<void> {
    const rows = readRows(this.#world.stored, this.#stored.lastRun);
    this.rows = rows;
    this.#checkRecorded(rows, step);
    this.#stored.check(rows, this.#world.nowMs + this.#world.skewMs);
    this.#checkToday(rows);
    this.#answers.allowCorrected(this.#stored.correctedDates);
    if (this.#world.isUp) {
      await this.#world.catchUp();
      const dates = [this.#chance.pick(rows.rates)?.version, this.#chance.pick(rows.fx)?.date];
      await this.#answers.check(rows, {
        dates: dates.filter((date) => date !== undefined),
        corrected: this.#stored.correctedDates,
      });
      await this.#checkOutage();
    }
    this.#checkSecrets();
    this.#world.upstreams.requests.clear();
  }

  async checkEnd(): Promise<void> {
    await this.#answers.checkFinal();
    const open = this.rows?.runs.filter(({ outcome }) => outcome === null) ?? [];
    mustHold(open.length === 0, () => `${open.length} runs never ended`);
    this.#checkSecrets();
  }

  /** A wrong clock publishes nothing, so no version is later than the true day (contract C17a). */
  #checkToday({ rates }: StoredRows): void {
    const today = dateAt(this.#world.nowMs, 'Europe/Brussels');
    const newest = rates.at(-1)?.version ?? '';
    mustHold(newest <= today, () => `rates of ${newest} are published on ${today}`);
  }

  /** Each query of an upstream belongs to a run that has ended. */
  #checkRecorded({ runs }: StoredRows, { isRough, hasRuns }: Step): void {
    const added = runs.filter(({ row }) => row > this.#stored.lastRun);
    this.#runCount += added.length;
    if (isRough) this.#openMax = dataSetKinds.length;
    const open = runs.filter(({ outcome }) => outcome === null);
    mustHold(open.length <= this.#openMax, () => `${open.length} runs have not ended`);
    if (isRough) return;
    const behind = open.filter(({ job }) => added.some((run) => run.job === job));
    mustHold(behind.length === 0, () => `${behind.length} runs are open behind a newer one`);
    if (!hasRuns) return;
    for (const job of dataSetKinds) {
      const { upstream } = publishers[job];
      const asked = this.#world.upstreams.requests.of(upstream).length;
      mustHold(asked === 0 || added.some((run) => run.job === job), () => {
        return `${upstream} was queried ${asked} times, and no run of ${job} is recorded`;
      });
    }
  }

  /** An outage of the registry is never an answer (contract C22). */
  async #checkOutage(): Promise<void> {
    // Seldom, because the pause before a second call takes real time.
    if (!this.#chance.chance(0.005)) return;
    const { scenario } = this.#world;
    setViesFault(
      scenario,
      this.#chance.pick(['none', 'html', 'server-fault', 'truncated', 'reset']),
    );
    const { status, text } = await this.#world.get('/vatcheck/DE/999999901');
    setViesFault(scenario, 'none');
    const isHonest = status === 200 ? text.includes('"valid":true') : status >= 502;
    mustHold(isHonest, () => `a registered number is answered with ${status} ${text}`);
  }

  #checkSecrets(): void {
    const { secrets } = this.#world;
    for (const output of this.#world.takeOutputs()) {
      mustHold(
        !secrets.some((secret) => output.includes(secret)),
        () => `a secret is in ${output}`,
      );
    }
  }
}
