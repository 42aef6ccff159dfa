import { matchingForm, objectForm, type ReadBy, whole } from '../../platform/fields/field.ts';
import { transportFaults } from '../transport/faults.ts';
import { boolean, latencyMs, list, oneOf, orNull, part, times } from './script-forms.ts';
import { merge, withFault } from './upstream-state.ts';

const conditions = oneOf(['up', 'down']);
const british = matchingForm(/^(?:[0-9]{9}|[0-9]{12})$/, 'a British VAT number of 9 or 12 digits');

/** The part `registries` of a script: HMRC and the Bundeszentralamt. */
export const registryScript = part({
  hmrc: part({
    latencyMs,
    fault: oneOf(transportFaults),
    times,
    // The server behind the API: without it, a number is "not found" unless there is a requester.
    backEnd: conditions,
    // The service of tokens.
    tokens: conditions,
    // The API: 503 SERVER_ERROR while it is down.
    api: conditions,
    // Whether it answers 429, as if the pace was used up.
    throttled: boolean,
    // The time of a token that is issued from now on.
    tokenSeconds: whole(1, 1_000_000),
    // Ends the tokens that are issued now.
    expireTokens: boolean,
    // Numbers that are registered beside the mock numbers, and numbers that are registered no longer.
    register: list(british),
    deregister: list(british),
  }),
  bzst: part({
    latencyMs,
    fault: oneOf(transportFaults),
    times,
    api: conditions,
    // Whether answers have an id.
    withId: boolean,
    // The letter in place of each A of a comparison; null for none.
    letter: orNull(matchingForm(/^[A-Z]$/, 'a capital letter')),
    // The status of a number, whatever the register has.
    statuses: list(
      objectForm({
        number: matchingForm(/^[A-Z]{2}[0-9A-Z+*]{2,12}$/, 'a VAT number like ATU99999901'),
        status: matchingForm(/^[0-9]{4}$/, 'four digits like 2006'),
      }),
    ),
  }),
});

type RegistryScript = NonNullable<ReadBy<typeof registryScript>>;
type HmrcScript = NonNullable<RegistryScript['hmrc']>;
type BzstScript = NonNullable<RegistryScript['bzst']>;

/** The state of the registries other than VIES. */
export type RegistriesState = {
  readonly hmrc: Required<Omit<HmrcScript, 'expireTokens'>> & {
    /** Tokens that were issued before this moment have ended. */
    readonly tokensSince: number;
  };
  readonly bzst: Required<BzstScript>;
};

export const initialRegistries: RegistriesState = {
  hmrc: {
    latencyMs: 0,
    fault: 'none',
    times: null,
    backEnd: 'up',
    tokens: 'up',
    api: 'up',
    throttled: false,
    tokenSeconds: 14_400,
    tokensSince: -Infinity,
    register: [],
    deregister: [],
  },
  bzst: {
    latencyMs: 0,
    fault: 'none',
    times: null,
    api: 'up',
    withId: true,
    letter: null,
    statuses: [],
  },
};

/** The state with a script merged into it; `now` is the sandbox's time. */
export function applyRegistries(
  before: RegistriesState,
  script: RegistryScript | undefined,
  now: number,
): RegistriesState {
  if (script === undefined) return before;
  const { expireTokens = false, ...hmrc } = script.hmrc ?? {};
  const same = (one: string): string => one;
  return {
    hmrc: {
      ...withFault(before.hmrc, hmrc),
      ...hmrc,
      tokensSince: expireTokens ? now : before.hmrc.tokensSince,
      // The last script about a number holds.
      register: merge(
        before.hmrc.register.filter((one) => hmrc.deregister?.includes(one) !== true),
        hmrc.register,
        same,
      ),
      deregister: merge(
        before.hmrc.deregister.filter((one) => hmrc.register?.includes(one) !== true),
        hmrc.deregister,
        same,
      ),
    },
    bzst: {
      ...withFault(before.bzst, script.bzst),
      ...script.bzst,
      statuses: merge(before.bzst.statuses, script.bzst?.statuses, ({ number }) => number),
    },
  };
}
