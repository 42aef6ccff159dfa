import type { BasicKind } from '../../../src/platform/publication/data-set-kinds.ts';
import { listHeld } from '../../../src/platform/publication/held-store.ts';
import type { RunReport } from '../../../src/platform/schedule/run-log.ts';
import { addDays, isoDate, type IsoDate } from '../../../src/platform/time/time.ts';
import { fxMoment } from '../../journeys/support/days.ts';
import { publishers } from '../../support/publishers.ts';
import { startService, type StartOptions, type TestService } from '../../support/start-service.ts';
import { Between } from './between.ts';
import { setNow } from '../../support/sandbox/scripts.ts';

/**
 * A service that refreshes one of its data sets from the documents that a test puts between it and its
 * upstream, any number of times for the day that is not published yet.
 */
export class Refreshed {
  readonly service: TestService;
  readonly between: Between;
  readonly #kind: BasicKind;
  #day: IsoDate;

  private constructor(
    kind: BasicKind,
    parts: { readonly service: TestService; readonly between: Between; readonly day: IsoDate },
  ) {
    this.#kind = kind;
    this.service = parts.service;
    this.between = parts.between;
    this.#day = parts.day;
  }

  /** Starts a service with true data published up to the previous day. */
  static async open(
    kind: BasicKind,
    options: Pick<StartOptions, 'config' | 'fxFrom'> = {},
  ): Promise<Refreshed> {
    const day = isoDate('2026-11-19');
    const between = await Between.open();
    const service = await startService({
      ...options,
      at: fxMoment(day),
      config: { ...options.config, tedbUrl: `${between.url}/tedb`, ecbUrl: between.url },
    });
    const { tedbUrl, ecbUrl } = service.sandbox;
    between.upstreams = { tedbUrl, ecbUrl };
    await service.liveAt(fxMoment(day));
    const refreshed = new Refreshed(kind, { service, between, day });
    refreshed.#goOn();
    return refreshed;
  }

  /** The day that is not published yet. */
  get day(): IsoDate {
    return this.#day;
  }

  /** Runs the job. */
  async refresh(): Promise<RunReport> {
    const reports = await this.service.core.jobs[this.#kind].refresh(0);
    const report = reports?.at(-1);
    if (report === undefined) throw new Error('the lease was not free');
    return report;
  }

  /** Continues until a day was published from true data; an operator approves true data that is held after false data. */
  async recover(): Promise<void> {
    this.between.instead = {};
    for (let tries = 0; tries < 5; tries += 1) {
      this.#goOn();
      const { outcome } = await this.refresh();
      if (outcome === 'published') {
        this.#goOn();
        return;
      }
      await this.#approve();
    }
    throw new Error('true data is not published again');
  }

  async #approve(): Promise<void> {
    const { db, jobs } = this.service.core;
    const held = (await listHeld(db, this.#kind)).find(({ version }) => version === this.#day);
    if (held === undefined) throw new Error(`no snapshot is held for ${this.#day}`);
    const report = await jobs[this.#kind].publishHeld(held, 0);
    if (report?.outcome !== 'published') throw new Error(`not approved: ${report?.detail}`);
  }

  /** Moves to the next day on which the upstream publishes. */
  #goOn(): void {
    do this.#day = addDays(this.#day, 1);
    while (!publishers[this.#kind].publishesOn(this.#day));
    setNow(this.service.scenario, fxMoment(this.#day));
  }
}
