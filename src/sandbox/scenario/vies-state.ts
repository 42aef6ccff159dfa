import { formatInstant } from '../../platform/time.ts';
import type { Trader } from '../data/traders.ts';
import type { TransportFault } from '../transport/faults.ts';
import { afterOne, type UpstreamScript, withFault } from './upstream-script.ts';
import type {
  MemberStateCondition,
  MemberStateScript,
  TraderKey,
  ViesScript,
} from './vies-script.ts';

/** The part of the scenario that VIES answers from. */

interface MemberStateState {
  readonly state: MemberStateCondition;
  readonly code: string;
  readonly latencyMs: number;
  readonly times: number | null;
  /** The moment on the sandbox's clock at which it heals. */
  readonly until: number | null;
}

export interface ViesState extends UpstreamScript<TransportFault> {
  /** The HTTP status of the registry's own faults. */
  readonly faultStatus: 200 | 500;
  /** Fault texts with a sentence behind the code. */
  readonly longFaults: boolean;
  /** The generation of the envelope: `soap` is the one before August 2022. */
  readonly prefixes: 'env' | 'soap';
  /** Sent as `Cache-Control: max-age`, with faults too; null sends none. */
  readonly maxAge: number | null;
  readonly memberStates: Readonly<Record<string, MemberStateState>>;
  /** What differs from the book of traders, by {@link traderKey}; a mere key is struck off. */
  readonly traders: ReadonlyMap<string, Trader | TraderKey>;
}

export const plainVies: ViesState = {
  latencyMs: 0,
  fault: 'none',
  times: null,
  faultStatus: 200,
  longFaults: false,
  prefixes: 'env',
  maxAge: null,
  memberStates: {},
  traders: new Map(),
};

/** How one call goes: the fault on the way, and what the Member State has to say. */
export interface ViesBehaviour {
  readonly fault: TransportFault;
  readonly memberState: Pick<MemberStateState, 'state' | 'code'>;
  readonly latencyMs: number;
}

const healthy: MemberStateState = {
  state: 'up',
  code: '',
  latencyMs: 0,
  times: null,
  until: null,
};

/** The state with a script taken over, at this moment of the sandbox's clock. */
export function applyVies(vies: ViesState, script: ViesScript | undefined, now: number): ViesState {
  if (script === undefined) return vies;
  const { memberStates = {}, register = [], deregister = [], ...settings } = script;
  const entries = Object.entries(memberStates).map(
    ([country, entry]) => [country, startOf(entry, now)] as const,
  );
  const changed = [...deregister.map(({ country, number }) => ({ country, number })), ...register];
  return {
    ...withFault(vies, settings),
    ...settings,
    memberStates: { ...vies.memberStates, ...Object.fromEntries(entries) },
    traders:
      changed.length === 0
        ? vies.traders
        : new Map([...vies.traders, ...changed.map((one) => [traderKey(one), one] as const)]),
  };
}

export function behaviourOf(vies: ViesState, country: string | null, now: number): ViesBehaviour {
  const scripted = country === null ? undefined : vies.memberStates[country];
  const memberState =
    scripted === undefined || (scripted.until !== null && scripted.until <= now)
      ? healthy
      : scripted;
  return { fault: vies.fault, memberState, latencyMs: vies.latencyMs + memberState.latencyMs };
}

/** What is left of the script after a call: a fault on the way hides that of the Member State. */
export function afterOneCall(
  vies: ViesState,
  country: string | null,
  { fault }: ViesBehaviour,
): ViesState {
  if (fault !== 'none') return afterOne(vies);
  const scripted = country === null ? undefined : vies.memberStates[country];
  if (country === null || scripted === undefined || scripted.times === null) return vies;
  const left = scripted.times > 1 ? { ...scripted, times: scripted.times - 1 } : healthy;
  return { ...vies, memberStates: { ...vies.memberStates, [country]: left } };
}

export function traderKey({ country, number }: TraderKey): string {
  return `${country} ${number.toUpperCase()}`;
}

export function isTrader(entry: Trader | TraderKey): entry is Trader {
  return 'name' in entry;
}

/** As `GET /_scenario` shows it. */
export function describeVies({ memberStates, traders, ...settings }: ViesState): object {
  const entries = Object.entries(memberStates).map(([country, { until, ...entry }]) => [
    country,
    { ...entry, until: until === null ? null : formatInstant(until) },
  ]);
  const changed = [...traders.values()];
  return {
    ...settings,
    memberStates: Object.fromEntries(entries),
    register: changed.filter(isTrader),
    deregister: changed.filter((entry) => !isTrader(entry)),
  };
}

function startOf(entry: MemberStateScript, now: number): MemberStateState {
  const { untilMinutes = null, ...rest } = entry;
  return {
    ...healthy,
    // A code alone is what shall be answered.
    state: entry.code === undefined ? 'up' : 'code',
    ...rest,
    until: untilMinutes === null ? null : now + untilMinutes * 60_000,
  };
}
