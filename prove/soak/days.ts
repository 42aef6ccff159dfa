import { setTimeout as pause } from 'node:timers/promises';
import { bankNames, dataSetKinds } from '../../src/platform/publication/data-set-kinds.ts';
import { addDays, formatInstant, type IsoDate, momentIn } from '../../src/platform/time/time.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { publishers } from '../../test/support/publishers.ts';
import { changeRate, setNow, setViesFault } from '../../test/support/sandbox/scripts.ts';
import type { During } from './loop-watch.ts';
import type { SoakedServer } from './server.ts';

/** 16:30 in Frankfurt: all publications of the day are due. */
const minuteOfDay = 16 * 60 + 30;
/** Jobs poll every five seconds whether they are due; a slow machine needs the rest of this time. */
const publishedWithinMs = 20_000;
/** A failed run is due again in an hour. A run fails if the machine stops the process for longer than its lease. */
const hoursMax = 3;

/** A bank's history is twenty years, with pauses between the requests. */
const bankFillMs = 240_000;

type OnTurn = (to: During) => Promise<void>;

/** The simulated days of a soak. Each has its daily jobs. */
export class Days {
  /** The number of days after the first. */
  count = 0;
  /** Whether VIES refuses all calls on this day, or has done so until the jobs of this day ended. */
  isBlocked = false;
  readonly #sandbox: Sandbox;
  #day: IsoDate;

  constructor(sandbox: Sandbox, firstDay: IsoDate) {
    this.#sandbox = sandbox;
    this.#day = firstDay;
    this.#script();
  }

  /** Moves server and upstreams to the next day; `onTurn` is called when its jobs start and when they have ended. */
  async publishNextDay(server: SoakedServer, onTurn: OnTurn): Promise<void> {
    this.#day = addDays(this.#day, 1);
    this.count += 1;
    this.#script();
    await this.#moveTo(server, this.#sandbox.clock.now());
    await this.untilPublished(server, onTurn);
    this.isBlocked = this.#hasBlock;
  }

  /** Waits until the server has a publication of each national bank; each reads its whole history first. */
  async untilBanksPublished(server: SoakedServer): Promise<void> {
    const untilMs = performance.now() + bankFillMs;
    while (bankNames.some((bank) => server.versions.get(bank) !== this.#day)) {
      if (performance.now() > untilMs) throw new Error(`no banks: ${server.errors.join('\n')}`);
      await pause(50);
    }
  }

  /** Every third day is one of a block. */
  get #hasBlock(): boolean {
    return this.count % 3 === 1;
  }

  /** Waits until the server has published the day. */
  async untilPublished(server: SoakedServer, onTurn: OnTurn = async () => {}): Promise<void> {
    const { requests, clock } = this.#sandbox;
    const jobs = dataSetKinds.filter((kind) => publishers[kind].publishesOn(this.#day));
    let wasRunning = false;
    for (let hours = 0; hours <= hoursMax; hours += 1) {
      if (hours > 0) await this.#moveTo(server, clock.now() + 3_600_000);
      for (const untilMs = performance.now() + publishedWithinMs; performance.now() < untilMs;) {
        const missing = jobs.filter((job) => server.versions.get(job) !== this.#day);
        const isRunning = missing.some((job) => requests.of(publishers[job].upstream).length > 0);
        if (isRunning !== wasRunning) await onTurn(isRunning ? 'job' : 'rest');
        if (missing.length === 0) return;
        wasRunning = isRunning;
        await pause(5);
      }
    }
    throw new Error(`${this.#day} is not published: ${server.errors.join('\n')}`);
  }

  /** Changes the rates of two countries each day, so that there are rows, and events for the subscriptions; VIES blocks on some. */
  #script(): void {
    const { scenario, requests } = this.#sandbox;
    const odd = this.count % 2;
    changeRate(scenario, 'SE', 'standard', [String(24 + odd)], this.#day);
    changeRate(scenario, 'HU', 'standard', [String(26 + odd)], this.#day);
    setViesFault(scenario, this.#hasBlock ? 'forbidden-403' : 'none');
    this.isBlocked ||= this.#hasBlock;
    setNow(scenario, formatInstant(momentIn('Europe/Berlin', this.#day, minuteOfDay)));
    requests.clear();
  }

  async #moveTo(server: SoakedServer, toMs: number): Promise<void> {
    setNow(this.#sandbox.scenario, formatInstant(toMs));
    await server.send({ kind: 'move', toMs });
  }
}
