import { toTrader, viesStates } from '../data/traders.ts';
import { transportFaults } from '../transport/faults.ts';
import {
  form,
  matchingForm,
  objectForm,
  pathOf,
  type ReadBy,
  refined,
  refuse,
  whole,
} from '../../platform/fields/field.ts';
import {
  boolean,
  entry,
  latencyMs,
  list,
  memberState,
  oneOf,
  orNull,
  part,
  record,
  times,
} from './script-forms.ts';

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
const shortText = matchingForm(/^[^]{0,10000}$/, 'a text');
const faultText = 'a fault text like SERVER_BUSY';

const memberStateScript = refined(
  part({
    state: oneOf(memberStateConditions),
    // The fault text of the state `code`.
    code: matchingForm(/^[^]{0,10000}$/, faultText),
    // In addition to the latency of VIES itself.
    latencyMs,
    times,
    // Minutes on the sandbox's clock after which the Member State heals.
    untilMinutes: orNull(whole(1, 1_000_000), ' for ever'),
  }),
  (read, at) =>
    read.state === 'code' && read.code === undefined
      ? refuse({ ...at, path: pathOf(at, 'code') }, faultText)
      : read,
);

const keyFields = {
  country: registry,
  number: matchingForm(/^[0-9A-Z+*.]{2,12}$/, 'a VAT number like U99999901'),
};
const deregistered = objectForm(keyFields);
// A name or address that is absent is not disclosed. With `withheld` neither is, but both are compared with those of a request.
const trader = refined(
  entry(keyFields, { name: shortText, address: shortText, withheld: boolean }),
  toTrader,
);

export const viesScript = part({
  latencyMs,
  fault: oneOf(transportFaults),
  times,
  // The HTTP status of the registry's own faults; 200 is usual.
  faultStatus: form('200 or 500', (given) =>
    ([200, 500] as const).find((status) => status === given),
  ),
  // Adds a sentence to the code of a fault.
  longFaults: boolean,
  // The envelope: `soap` was used before August 2022, `env` since then.
  prefixes: oneOf(['env', 'soap']),
  // Seconds, sent as `Cache-Control: max-age`, with faults too; null sends none.
  maxAge: orNull(whole(0, 100_000_000)),
  memberStates: record(registry, memberStateScript),
  // How Member States answer the data of a trader; others as they usually do.
  matching: record(registry, oneOf(matchings)),
  // A requester that is not registered: a consultation number, INVALID_REQUESTER_INFO, or an empty number.
  unknownRequester: oneOf(['accepted', 'fault', 'empty']),
  // A firewall before the registry, which refuses requests with this text in the data of a trader; null takes it away.
  firewall: orNull(entry({ text: shortText }, { answer: oneOf(firewallAnswers) })),
  register: list(trader),
  deregister: list(deregistered),
});
