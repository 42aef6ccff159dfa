import type { DataSetKind } from '../../../src/platform/data-set-kinds.ts';
import { listHeld } from '../../../src/platform/publication/held-store.ts';
import type { RunReport } from '../../../src/platform/schedule/run-log.ts';
import { addDays, isoDate, type IsoDate } from '../../../src/platform/time.ts';
import { isPublicationDay } from '../../../src/sandbox/ecb/calendar.ts';
import { fxMoment } from '../../journeys/support/days.ts';
import { startService, type StartOptions, type TestService } from '../../support/start-service.ts';
import { Between } from './between.ts';

/**
 * A service that refreshes one of its data sets from whatever is put between it and its upstream: as often as
 * one likes for the day of which nothing is published yet.
 */
export class Refreshed {
  readonly service: TestService;
  readonly between: Between;
  readonly #kind: DataSetKind;
  #day: IsoDate;

  private constructor(
    kind: DataSetKind,
    parts: { readonly service: TestService; readonly between: Between; readonly day: IsoDate },
  ) {
    this.#kind = kind;
    this.service = parts.service;
    this.between = parts.between;
    this.#day = parts.day;
  }

  /** Starts one with what is true published up to the day before. */
  static async open(
    kind: DataSetKind,
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

  /** Of which nothing is published yet. */
  get day(): IsoDate {
    return this.#day;
  }

  /** Does what the job does when it is due. */
  async refresh(): Promise<RunReport> {
    const { rates, fx } = this.service.core.jobs;
    const reports = await (this.#kind === 'rates' ? rates.refreshTo(this.#day, 0) : fx.refresh(0));
    const report = reports?.at(-1);
    if (report === undefined) throw new Error('the lease was not free');
    return report;
  }

  /** Goes on until a day was published from what is true; an operator approves what is held after a lie. */
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
    throw new Error('what is true is never published again');
  }

  async #approve(): Promise<void> {
    const { db, jobs } = this.service.core;
    const held = (await listHeld(db, this.#kind)).find(({ version }) => version === this.#day);
    if (held === undefined) throw new Error(`nothing is held for ${this.#day}`);
    const report = await jobs[this.#kind].publishHeld(held, 0);
    if (report?.outcome !== 'published') throw new Error(`not approved: ${report?.detail}`);
  }

  /** Makes it the next day on which the upstream says something new. */
  #goOn(): void {
    do this.#day = addDays(this.#day, 1);
    while (this.#kind === 'fx' && !isPublicationDay(this.#day));
    this.service.scenario.setNow(fxMoment(this.#day));
  }
}
