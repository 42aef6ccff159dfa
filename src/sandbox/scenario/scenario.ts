import type { BankName } from '../../platform/publication/data-set-kinds.ts';
import {
  type Clock,
  dateIn,
  formatInstant,
  type IsoDate,
  minuteOfDayIn,
  momentIn,
} from '../../platform/time/time.ts';
import {
  applyBank,
  type BankFault,
  type BankScript,
  eachBank,
  initialBank,
} from './bank-script.ts';
import type { TransportFault } from '../transport/faults.ts';
import type { RateScript } from './rates-in-force.ts';
import { applyRegistries, initialRegistries, type RegistriesState } from './registry-script.ts';
import type { EcbFault, EcbScript, FixingScript, Script, TedbFault, TedbScript } from './script.ts';
import { afterAnswer, merge, withFault } from './upstream-state.ts';
import {
  afterCall,
  applyVies,
  behaviourOf,
  describeVies,
  initialVies,
  type ViesBehaviour,
  type ViesState,
} from './vies-state.ts';

/**
 * The scenario: the answers, faults and clock of the simulators.
 *
 * `script.ts` reads the JSON of `POST /_scenario`. A restart forgets the scenario. A reset goes back to the
 * real history and the base clock. Fields that are null here are null in `GET /_scenario`, too.
 */
export interface ScenarioState extends Readonly<Record<BankName, Required<BankScript>>> {
  readonly dateMinutes: number | null;
  readonly rates: readonly RateScript[];
  readonly tedb: Required<TedbScript>;
  readonly ecb: Required<EcbScript> & {
    /** Only publications due after this moment are late: a published day is never withdrawn. */
    readonly lateSince: number;
  };
  readonly vies: ViesState;
  readonly registries: RegistriesState;
}

const initialState: ScenarioState = {
  dateMinutes: 0,
  rates: [],
  tedb: { latencyMs: 0, fault: 'none', times: null, missing: [], regions: [] },
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
  vies: initialVies,
  registries: initialRegistries,
  ...eachBank(() => initialBank),
};

const minuteMs = 60_000;

/** The running scenario: its state, its clock and the methods that change both. */
export class Scenario {
  /** The sandbox's time: the base clock plus an offset. */
  readonly clock: Clock = { now: () => this.#base.now() + this.#offsetMs };
  readonly #base: Clock;
  #offsetMs = 0;
  #state = initialState;
  #revision = 0;
  #ecbChangedAt = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  get state(): ScenarioState {
    return this.#state;
  }

  /** Grows with each script about rates, TEDB or the ECB, so that their answers can be cached by it. */
  get revision(): number {
    return this.#revision;
  }

  /** The moment of the last script that changed the ECB's files; 0 if there was none. */
  get ecbChangedAt(): number {
    return this.#ecbChangedAt;
  }

  /** The sandbox's date in Brussels. */
  get today(): IsoDate {
    return dateIn('Europe/Brussels', this.clock.now());
  }

  /** Merges a script into the scenario. */
  apply(script: Script): void {
    if (script.reset === true) this.reset();
    if (script.today !== undefined) this.#moveTo(script.today);
    if (script.now !== undefined) this.#offsetMs = script.now - this.#base.now();

    const { rates, tedb, ecb, vies, registries } = this.#state;
    this.#state = {
      dateMinutes: script.dateMinutes === undefined ? this.#state.dateMinutes : script.dateMinutes,
      rates: merge(rates, script.rates, (one) => `${one.country} ${one.field} ${one.from}`),
      tedb: { ...withFault(tedb, script.tedb), ...script.tedb },
      ecb: {
        ...withFault(ecb, script.ecb),
        ...script.ecb,
        // A delay that is made longer still counts from its beginning.
        lateSince:
          script.ecb?.lateDays === undefined || ecb.lateDays > 0 ? ecb.lateSince : this.clock.now(),
        corrections: merge(ecb.corrections, script.ecb?.corrections, fixingKey),
        values: merge(ecb.values, script.ecb?.values, fixingKey),
      },
      vies: applyVies(vies, script.vies, this.clock.now()),
      registries: applyRegistries(registries, script.registries, this.clock.now()),
      ...eachBank((name) => applyBank(this.#state[name], script[name])),
    };
    const changed = [script.rates, script.tedb, script.ecb];
    if (changed.some((part) => part !== undefined)) this.#revision += 1;
    if (script.ecb !== undefined) this.#markEcbChanged();
  }

  /** Forgets every script and goes back to the base clock. */
  reset(): void {
    this.#offsetMs = 0;
    this.#state = initialState;
    this.#revision += 1;
    this.#markEcbChanged();
  }

  /** The fault of the next answer of TEDB; counts the answer. */
  takeTedbFault(): TedbFault {
    const { fault } = this.#state.tedb;
    this.#state = { ...this.#state, tedb: afterAnswer(this.#state.tedb) };
    return fault;
  }

  /** The fault of the next answer of the ECB; counts the answer. */
  takeEcbFault(): EcbFault {
    const { fault } = this.#state.ecb;
    this.#state = { ...this.#state, ecb: afterAnswer(this.#state.ecb) };
    return fault;
  }

  /** The fault of the next answer of a national bank; counts the answer. */
  takeBankFault(name: BankName): BankFault {
    const { fault } = this.#state[name];
    this.#state = { ...this.#state, [name]: afterAnswer(this.#state[name]) };
    return fault;
  }

  /** The fault of the next answer of a registry other than VIES; counts the answer. */
  takeRegistryFault(name: keyof RegistriesState): TransportFault {
    const { registries } = this.#state;
    const { fault } = registries[name];
    this.#state = {
      ...this.#state,
      registries: { ...registries, [name]: afterAnswer(registries[name]) },
    };
    return fault;
  }

  /** The behaviour of VIES for the next call; counts the call. Without a country, no Member State is queried. */
  takeViesCall(country: string | undefined): ViesBehaviour {
    const { vies } = this.#state;
    const behaviour = behaviourOf(vies, country, this.clock.now());
    this.#state = { ...this.#state, vies: afterCall(vies, country, behaviour) };
    return behaviour;
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

  // HTTP dates are in whole seconds: two changes within a second must have different dates.
  #markEcbChanged(): void {
    const second = Math.floor(this.clock.now() / 1000) * 1000;
    this.#ecbChangedAt = Math.max(second, this.#ecbChangedAt + 1000);
  }
}

function fixingKey(fixing: FixingScript): string {
  return `${fixing.date} ${fixing.currency}`;
}
