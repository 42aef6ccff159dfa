import { toTrader, viesStates } from '../data/traders.ts';
import { transportFaults } from '../transport/faults.ts';
import {
  latencyMs,
  memberState,
  times,
  boolean,
  count,
  list,
  map,
  object,
  oneOf,
  orNull,
  type ReadBy,
  record,
  required,
  text,
} from './shape.ts';

/** The states of a Member State; `code` answers with the scripted fault text. */
export const memberStateConditions = [
  'up',
  'down',
  'throttled',
  'hang',
  'drip',
  'html',
  'code',
] as const;

export type MemberStateCondition = (typeof memberStateConditions)[number];

/** How a Member State answers the data of a trader: it sends back what it received, compares nothing, or compares. */
const matchings = ['echo', 'none', 'register'] as const;

export type Matching = (typeof matchings)[number];

/** How a firewall refuses a request: with HTTP 403, or with a page and HTTP 200. */
const firewallAnswers = ['forbidden-403', 'html'] as const;

/** The script of one Member State. It replaces the previous one; `{}` heals. */
export type MemberStateScript = ReadBy<typeof memberStateScript>;

/** A trader's number and the registry code of its country. */
export type TraderKey = ReadBy<typeof deregistered>;

/** The part `vies` of a script. */
export type ViesScript = ReadBy<typeof viesScript>;

const registry = memberState('a Member State like DE, or XI', viesStates);
const shortText = text('a text', (given) => given.length <= 10_000);
const faultText = 'a fault text like SERVER_BUSY';

const memberStateScript = object(
  {
    state: oneOf(memberStateConditions),
    // The fault text of the state `code`.
    code: text(faultText, (given) => given.length <= 10_000),
    // In addition to the latency of VIES itself.
    latencyMs,
    times,
    // Minutes on the sandbox's clock after which the Member State heals.
    untilMinutes: orNull(count(1, 1_000_000), ' for ever'),
  },
  ({ state, code }) =>
    state === 'code' && code === undefined ? ['code', `missing, expected ${faultText}`] : undefined,
);

const keyFields = {
  country: required(registry),
  number: required(
    text('a VAT number like U99999901', (given) => /^[0-9A-Z+*.]{2,12}$/.test(given)),
  ),
};
const deregistered = object(keyFields);
// A name or address that is absent is not disclosed. With `withheld` neither is, but both are compared with those of a request.
const trader = map(
  object({ ...keyFields, name: shortText, address: shortText, withheld: boolean }),
  toTrader,
);

export const viesScript = object({
  latencyMs,
  fault: oneOf(transportFaults),
  times,
  // The HTTP status of the registry's own faults; 200 is usual.
  faultStatus: oneOf([200, 500], '200 or 500'),
  // Adds a sentence to the code of a fault.
  longFaults: boolean,
  // The envelope: `soap` was used before August 2022, `env` since then.
  prefixes: oneOf(['env', 'soap']),
  // Seconds, sent as `Cache-Control: max-age`, with faults too; null sends none.
  maxAge: orNull(count(0, 100_000_000)),
  memberStates: record(registry, memberStateScript),
  // How Member States answer the data of a trader; others as they usually do.
  matching: record(registry, oneOf(matchings)),
  // A requester that is not registered: a consultation number, INVALID_REQUESTER_INFO, or an empty number.
  unknownRequester: oneOf(['accepted', 'fault', 'empty']),
  // A firewall before the registry, which refuses requests with this text in the data of a trader; null takes it away.
  firewall: orNull(object({ text: required(shortText), answer: oneOf(firewallAnswers) })),
  register: list(trader),
  deregister: list(deregistered),
});
