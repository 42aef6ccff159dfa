import { formatInstant } from '../../platform/time/time.ts';
import type { Trader } from '../data/traders.ts';
import type { TransportFault } from '../transport/faults.ts';
import { afterAnswer, withFault } from './upstream-state.ts';
import type { MemberStateScript, TraderKey, ViesScript } from './vies-script.ts';

/** The state of VIES: its scripted settings, the states of its Member States, and changes to its register. */
export type ViesState = Required<Omit<ViesScript, 'memberStates' | 'register' | 'deregister'>> & {
  readonly memberStates: Readonly<Record<string, ScriptedMemberState>>;
  /** Changes to the registered traders, by {@link traderKey}; an entry without a name is deregistered. */
  readonly traders: ReadonlyMap<string, Trader | TraderKey>;
};

type ScriptedMemberState = Required<Omit<MemberStateScript, 'untilMinutes'>> & {
  /** The moment on the sandbox's clock at which the Member State is healthy again. */
  readonly until?: number;
};

export const initialVies: ViesState = {
  latencyMs: 0,
  fault: 'none',
  times: null,
  faultStatus: 200,
  longFaults: false,
  prefixes: 'env',
  maxAge: null,
  memberStates: {},
  matching: {},
  unknownRequester: 'accepted',
  firewall: null,
  traders: new Map(),
};

/** The behaviour in one call: the fault of the transport, and the state of the Member State. */
export interface ViesBehaviour {
  readonly fault: TransportFault;
  readonly memberState: Pick<ScriptedMemberState, 'state' | 'code'>;
  readonly latencyMs: number;
}

const healthy: ScriptedMemberState = { state: 'up', code: '', latencyMs: 0, times: null };

/** The state with a script merged into it; `now` is the sandbox's time. */
export function applyVies(vies: ViesState, script: ViesScript | undefined, now: number): ViesState {
  if (script === undefined) return vies;
  const { memberStates = {}, register = [], deregister = [], ...settings } = script;
  const entries = Object.entries(memberStates).map(
    ([country, entry]) => [country, applyMemberState(entry, now)] as const,
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

export function behaviourOf(
  vies: ViesState,
  country: string | undefined,
  now: number,
): ViesBehaviour {
  const scripted = vies.memberStates[country ?? ''] ?? healthy;
  const memberState = (scripted.until ?? Infinity) <= now ? healthy : scripted;
  return { fault: vies.fault, memberState, latencyMs: vies.latencyMs + memberState.latencyMs };
}

/** The state after one more call; while VIES has a fault, the call does not count for the Member State. */
export function afterCall(
  vies: ViesState,
  country: string | undefined,
  { fault }: ViesBehaviour,
): ViesState {
  if (fault !== 'none') return afterAnswer(vies);
  const scripted = vies.memberStates[country ?? ''];
  if (country === undefined || scripted === undefined || scripted.times === null) return vies;
  const left = scripted.times > 1 ? { ...scripted, times: scripted.times - 1 } : healthy;
  return { ...vies, memberStates: { ...vies.memberStates, [country]: left } };
}

export function traderKey({ country, number }: TraderKey): string {
  return `${country} ${number.toUpperCase()}`;
}

export function isTrader(entry: Trader | TraderKey): entry is Trader {
  return 'name' in entry;
}

/** The state as `GET /_scenario` shows it. */
export function describeVies({ memberStates, traders, ...settings }: ViesState): object {
  const entries = Object.entries(memberStates).map(([country, { until, ...entry }]) => [
    country,
    { ...entry, until: until === undefined ? null : formatInstant(until) },
  ]);
  const changed = [...traders.values()];
  return {
    ...settings,
    memberStates: Object.fromEntries(entries),
    register: changed.filter(isTrader),
    deregister: changed.filter((entry) => !isTrader(entry)),
  };
}

function applyMemberState(entry: MemberStateScript, now: number): ScriptedMemberState {
  const { untilMinutes = null, ...rest } = entry;
  return {
    ...healthy,
    // A script with a code and no state means the state `code`.
    state: entry.code === undefined ? 'up' : 'code',
    ...rest,
    ...(untilMinutes === null ? {} : { until: now + untilMinutes * 60_000 }),
  };
}
