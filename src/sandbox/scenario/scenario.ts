import type { Clock, IsoDate } from '../../platform/time.ts';
import {
  addDays,
  dateIn,
  formatInstant,
  isoDate,
  minuteOfDayIn,
  momentIn,
} from '../../platform/time.ts';
import type { Trader } from '../data/traders.ts';
import type { RateField } from '../data/vat-rates.ts';
import type { TransportFault } from '../transport/faults.ts';
import type { RateScript } from './rates-in-force.ts';
import type { EcbFault, FixingScript, Script, TedbFault } from './script.ts';
import { afterOne, merge, type UpstreamScript, withFault } from './upstream-script.ts';
import type { MemberStateCondition, MemberStateScript } from './vies-script.ts';
import {
  afterOneCall,
  applyVies,
  behaviourOf,
  describeVies,
  plainVies,
  type ViesBehaviour,
  type ViesState,
} from './vies-state.ts';

/**
 * The script of the sandbox: what its upstreams shall say, and when.
 *
 * The JSON form of `POST /_scenario` is described and checked in `scenario-script.ts`. Nothing here
 * is kept over a restart, and a reset goes back to plain history on the base clock.
 */

export interface TedbScript extends UpstreamScript<TedbFault> {
  /** Registry codes of Member States that the answers leave out. */
  readonly missing: readonly string[];
}

export interface EcbScript extends UpstreamScript<EcbFault> {
  /** Days by which publications come later than 15:56 Europe/Berlin of their own day. */
  readonly lateDays: number;
  /** Only publications due after this moment are late: what is out is never taken back. */
  readonly lateSince: number;
  /** Currencies that the newest day leaves out. */
  readonly missing: readonly string[];
  readonly corrections: readonly FixingScript[];
  readonly values: readonly FixingScript[];
}

export interface ScenarioState {
  readonly rates: readonly RateScript[];
  readonly tedb: TedbScript;
  readonly ecb: EcbScript;
  readonly vies: ViesState;
}

const plain: ScenarioState = {
  rates: [],
  tedb: { latencyMs: 0, fault: 'none', times: null, missing: [] },
  ecb: {
    latencyMs: 0,
    fault: 'none',
    times: null,
    lateDays: 0,
    lateSince: 0,
    missing: [],
    corrections: [],
    values: [],
  },
  vies: plainVies,
};

const minuteMs = 60_000;

/** The running scenario: its state, its clock and the ways to change both. */
export class Scenario {
  /** The sandbox's time: the base clock, moved by what the script says. It goes on ticking. */
  readonly clock: Clock = { now: () => this.#base.now() + this.#offsetMs };
  readonly #base: Clock;
  #offsetMs = 0;
  #state = plain;
  #revision = 0;
  #ecbChangedAt = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  get state(): ScenarioState {
    return this.#state;
  }

  /** Grows when the state changes, not with time: what was made from the state can be remembered. */
  get revision(): number {
    return this.#revision;
  }

  /** The moment at which the ECB's files last changed because the script did; 0 when it never did. */
  get ecbChangedAt(): number {
    return this.#ecbChangedAt;
  }

  /** The sandbox's date in Brussels, which is the day of the rates. */
  get today(): IsoDate {
    return dateIn('Europe/Brussels', this.clock.now());
  }

  /** Takes over a checked script as a whole. */
  apply(script: Script): void {
    if (script.reset === true) this.reset();
    if (script.today !== undefined) this.#moveTo(script.today);
    if (script.now !== undefined) this.#offsetMs = script.now - this.#base.now();

    const { rates, tedb, ecb, vies } = this.#state;
    this.#state = {
      rates: merge(rates, script.rates, (one) => `${one.country} ${one.field} ${one.from}`),
      tedb: { ...withFault(tedb, script.tedb), ...script.tedb },
      ecb: {
        ...withFault(ecb, script.ecb),
        ...script.ecb,
        // Whoever is late already stays late for what was due since it began.
        lateSince:
          script.ecb?.lateDays === undefined || ecb.lateDays > 0 ? ecb.lateSince : this.clock.now(),
        corrections: merge(ecb.corrections, script.ecb?.corrections, fixingKey),
        values: merge(ecb.values, script.ecb?.values, fixingKey),
      },
      vies: applyVies(vies, script.vies, this.clock.now()),
    };
    const changed = [script.rates, script.tedb, script.ecb, script.vies];
    if (changed.some((part) => part !== undefined)) this.#revision += 1;
    if (script.ecb !== undefined) this.#touchEcb();
  }

  /** Forgets everything that was scripted and goes back to the base clock. */
  reset(): void {
    this.#offsetMs = 0;
    this.#state = plain;
    this.#revision += 1;
    this.#touchEcb();
  }

  /** The fault of the answer that is about to be given; counts it. */
  takeTedbFault(): TedbFault {
    const { fault } = this.#state.tedb;
    this.#state = { ...this.#state, tedb: afterOne(this.#state.tedb) };
    return fault;
  }

  takeEcbFault(): EcbFault {
    const { fault } = this.#state.ecb;
    this.#state = { ...this.#state, ecb: afterOne(this.#state.ecb) };
    return fault;
  }

  /** How the call that VIES is about to answer shall go; counts it. Null is no Member State. */
  takeViesCall(country: string | null): ViesBehaviour {
    const { vies } = this.#state;
    const behaviour = behaviourOf(vies, country, this.clock.now());
    this.#state = { ...this.#state, vies: afterOneCall(vies, country, behaviour) };
    return behaviour;
  }

  /** Makes it this day in Brussels, at the same time of day; null follows the base clock. */
  setToday(date: string | null): void {
    this.apply({ today: date === null ? null : isoDate(date) });
  }

  /** Makes it this moment: `2026-11-21T16:30:00+01:00`. */
  setNow(moment: string): void {
    this.apply({ now: Temporal.Instant.from(moment).epochMilliseconds });
  }

  nextDay(): void {
    this.apply({ today: addDays(this.today, 1) });
  }

  /** `changeRate('HU', 'standard', ['25'], '2026-11-21')`; the country by its registry code. */
  changeRate(country: string, field: RateField, values: readonly string[], from: string): void {
    this.apply({ rates: [{ country, field, values, from: isoDate(from) }] });
  }

  setTedbFault(fault: TedbFault, times: number | null = null): void {
    this.apply({ tedb: { fault, times } });
  }

  setEcbFault(fault: EcbFault, times: number | null = null): void {
    this.apply({ ecb: { fault, times } });
  }

  setViesFault(fault: TransportFault, times: number | null = null): void {
    this.apply({ vies: { fault, times } });
  }

  /** `setMemberState('DE', 'down', { untilMinutes: 40 })`; by registry code, `'up'` heals. */
  setMemberState(
    country: string,
    state: MemberStateCondition,
    rest: Omit<MemberStateScript, 'state'> = {},
  ): void {
    this.apply({ vies: { memberStates: { [country]: { state, ...rest } } } });
  }

  /** Puts traders on file, instead of those with the same number. */
  registerTraders(...register: readonly Trader[]): void {
    this.apply({ vies: { register } });
  }

  deregisterTrader(country: string, number: string): void {
    this.apply({ vies: { deregister: [{ country, number }] } });
  }

  setLateDays(lateDays: number): void {
    this.apply({ ecb: { lateDays } });
  }

  /** From now on the ECB's files show this value for the day, whatever they showed before. */
  correctFixing(date: string, currency: string, value: string): void {
    this.apply({ ecb: { corrections: [{ date: isoDate(date), currency, value }] } });
  }

  /** The ECB publishes this value for the day from the start. */
  publishValue(date: string, currency: string, value: string): void {
    this.apply({ ecb: { values: [{ date: isoDate(date), currency, value }] } });
  }

  /** The current scenario as `GET /_scenario` shows it. */
  describe(): object {
    return {
      now: formatInstant(this.clock.now()),
      today: this.today,
      clock: this.#offsetMs === 0 ? 'base' : 'moved',
      ...this.#state,
      ecb: { ...this.#state.ecb, lateSince: formatInstant(this.#state.ecb.lateSince) },
      vies: describeVies(this.#state.vies),
    };
  }

  #moveTo(date: IsoDate | null): void {
    if (date === null) {
      this.#offsetMs = 0;
      return;
    }
    const now = this.clock.now();
    const minute = minuteOfDayIn('Europe/Brussels', now);
    const moment = momentIn('Europe/Brussels', date, minute) + (now % minuteMs);
    this.#offsetMs = moment - this.#base.now();
  }

  // HTTP dates have whole seconds: two changes within one must not look like the same file.
  #touchEcb(): void {
    const second = Math.floor(this.clock.now() / 1000) * 1000;
    this.#ecbChangedAt = Math.max(second, this.#ecbChangedAt + 1000);
  }
}

function fixingKey(fixing: FixingScript): string {
  return `${fixing.date} ${fixing.currency}`;
}
