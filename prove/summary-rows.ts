import type { ProofName } from '../test/support/proof.ts';

/** A number that a run counted: the sum over the figures of a promise that a pattern matches. */
export type Count = {
  readonly of: ProofName;
  /** Its first group is the number; without a group each figure counts as one. It matches only the figures of the program as it is, not those of broken builds. */
  readonly pattern: RegExp;
};

/** A count and the words after it. */
export type Counted = readonly [count: Count, words: string];

/** A row of the summary. */
export type SummaryRow = {
  /** The meaning of the promises for the company that runs the service. */
  readonly title: string;
  readonly promises: readonly ProofName[];
  /** How the tests tried to break the promises, in the order of the text. */
  readonly tried: readonly Counted[];
  /** The errors that could have happened, and how often they did. */
  readonly found: readonly Counted[];
};

/** The rows of the summary; each promise is in one of them. */
export const summaryRows: readonly SummaryRow[] = [
  {
    title: 'A crash, a power failure or a full disk loses and doubles nothing',
    promises: ['R1', 'R2', 'R3', 'R9', 'R16'],
    tried: [
      [{ of: 'R1', pattern: /^(\d+) kills in / }, 'kills of the program while it published'],
      [{ of: 'R16', pattern: /^(\d+) kills on / }, 'kills while it delivered webhooks'],
      [{ of: 'R2', pattern: / cut at (\d+) places, / }, 'power failures'],
      [{ of: 'R9', pattern: /^(\d+) of \d+ backups, / }, 'backups restored'],
    ],
    found: [
      [{ of: 'R1', pattern: / (\d+) rows, events and publications lost/ }, 'rows or events lost'],
      [{ of: 'R16', pattern: /^\d+ kills on .* (\d+) lost, / }, 'deliveries lost'],
      [{ of: 'R2', pattern: / (\d+) acknowledged commits lost/ }, 'commits lost'],
      [{ of: 'R9', pattern: /^\d+ of \d+ backups, .* (\d+) that differ/ }, 'restored texts differ'],
    ],
  },
  {
    title: 'Wrong or incomplete data is not published',
    promises: ['R4', 'R5', 'R8', 'R12'],
    tried: [
      [{ of: 'R5', pattern: /^(\d+) refreshes from / }, 'spoiled documents of the sources'],
      [{ of: 'R4', pattern: /^from seed \d+: (\d+) seeds × 365 days/ }, 'simulated years'],
      [{ of: 'R8', pattern: /^(\d+) random data sets/ }, 'data sets compared in both databases'],
    ],
    found: [
      [{ of: 'R5', pattern: /^\d+ refreshes .* (\d+) implausible$/ }, 'implausible ones published'],
      [{ of: 'R4', pattern: / ([\d,]+) violations$/ }, 'rules broken in simulated time'],
    ],
  },
  {
    title: 'Every day is published once, also after an outage and by several servers',
    promises: ['R6', 'R7'],
    tried: [[{ of: 'R7', pattern: /^as it is, 5 replicas and (\d+) days/ }, 'days with 5 servers']],
    found: [
      [
        { of: 'R7', pattern: /^as it is, .* (\d+) days not published/ },
        'not published exactly once',
      ],
    ],
  },
  {
    title: 'An outage of a registry is never reported as an invalid VAT number',
    promises: ['R10', 'R11', 'R13', 'R14'],
    tried: [
      [
        { of: 'R13', pattern: /^\d+ false valid:false in (\d+) answers/ },
        'answers of the registry, with errors known and unknown',
      ],
      [{ of: 'R10', pattern: /^\d+ of (12) stalls ended/ }, 'ways to stall'],
    ],
    found: [
      [{ of: 'R13', pattern: /^(\d+) false valid:false/ }, 'wrongly reported as invalid'],
      [{ of: 'R10', pattern: /^(\d+) of 12 stalls ended/ }, 'stalls ended in time'],
    ],
  },
  {
    title: 'A stored check ends once; its proof cannot be changed or reach another customer',
    promises: ['R29', 'R30', 'R39'],
    tried: [
      [{ of: 'R29', pattern: / three keys: (\d+) checks/ }, 'checks in simulated time'],
      [{ of: 'R29', pattern: / three keys: .* (\d+) kills/ }, 'kills'],
      [{ of: 'R30', pattern: /^(\d+) changes of one bit/ }, 'altered bits in proofs'],
    ],
    found: [
      [{ of: 'R29', pattern: / (\d+) checks not ended once/ }, 'checks not ended exactly once'],
      [{ of: 'R29', pattern: / (\d+) of another key or requester/ }, 'proofs of another customer'],
      [{ of: 'R30', pattern: / (\d+) not found$/ }, 'alterations not found'],
    ],
  },
  {
    title: 'Rates for tax returns and for goods are those of the official sources',
    promises: ['R32', 'R33'],
    tried: [
      [{ of: 'R32', pattern: /^(\d+) periods since 1999/ }, 'tax periods'],
      [{ of: 'R32', pattern: /^\d+ periods .* and (\d+) tax points/ }, 'tax dates'],
      [{ of: 'R33', pattern: /^(\d+) rows of the real answer/ }, 'official rows of goods'],
    ],
    found: [
      [{ of: 'R32', pattern: / (\d+) with another date or/ }, 'wrong dates or digits'],
      [{ of: 'R32', pattern: / (\d+) answered nevertheless/ }, 'answers with a missing source'],
      [{ of: 'R33', pattern: / second reading: (\d+) missing/ }, 'rows read wrongly'],
    ],
  },
  {
    title:
      'Webhooks are signed and arrive after the data that they announce; the event log has each event once',
    promises: ['R15', 'R17', 'R19', 'R31'],
    tried: [
      [{ of: 'R15', pattern: /^\d+ of (\d+) deliveries/ }, 'altered deliveries'],
      [{ of: 'R19', pattern: /^\d+ of (\d+) (?!.*caught).*/ }, 'webhooks'],
      [{ of: 'R31', pattern: / (\d+) events of 8 writers/ }, 'events of 8 writers at a time'],
    ],
    found: [
      [{ of: 'R15', pattern: /^(\d+) of \d+ deliveries/ }, 'alterations refused'],
      [{ of: 'R19', pattern: /^(\d+) of \d+ (?!.*caught).*/ }, 'webhooks found their data'],
      [{ of: 'R31', pattern: / (\d+) lost, / }, 'events lost to a reader'],
      [{ of: 'R31', pattern: / (\d+) doubled, / }, 'read twice'],
      [{ of: 'R31', pattern: / (\d+) out of order, / }, 'out of order'],
    ],
  },
  {
    title: 'Attackers and faulty callers get no data, no secrets, and do not stop the service',
    promises: ['R18', 'R20', 'R21', 'R22', 'R23', 'R24', 'R28'],
    tried: [
      [{ of: 'R23', pattern: /^(\d+) requests / }, 'generated requests'],
      [{ of: 'R18', pattern: /^\d+ of (\d+) spellings / }, 'spellings of internal addresses'],
    ],
    found: [
      [{ of: 'R23', pattern: / (\d+) unexpected 5xx/ }, 'server errors'],
      [{ of: 'R23', pattern: / (\d+) unauthenticated 2xx/ }, 'answered without a key'],
      [
        { of: 'R18', pattern: /^\d+ of \d+ spellings .* (\d+) at the listener/ },
        'addresses reached',
      ],
    ],
  },
  {
    title:
      'Restarts lose no request, published data is answered without the database, and memory is stable',
    promises: ['R25', 'R26', 'R27', 'R34'],
    tried: [
      [{ of: 'R25', pattern: /^(\d+) rolling restarts / }, 'rolling restarts under load'],
      [{ of: 'R25', pattern: /^\d+ rolling .* \d+ of (\d+) requests failed/ }, 'requests'],
      [{ of: 'R34', pattern: / \d+ of (\d+) look-ups failed/ }, 'look-ups in containers'],
    ],
    found: [
      [{ of: 'R25', pattern: /^\d+ rolling .* (\d+) of \d+ requests failed/ }, 'requests failed'],
      [{ of: 'R34', pattern: / (\d+) of \d+ look-ups failed/ }, 'look-ups failed'],
    ],
  },
  {
    title: 'The tests themselves find errors',
    promises: ['defects', 'mutants'],
    tried: [
      [{ of: 'mutants', pattern: /^(\d+) mutants of / }, 'small changes of the program'],
      [{ of: 'defects', pattern: /a build that .* is caught by/ }, 'planted errors'],
    ],
    found: [
      [{ of: 'mutants', pattern: / tests find (\d+)[.\d]* %/ }, '% of the changes found'],
      [{ of: 'defects', pattern: /a build that .* is caught by/ }, 'planted errors found'],
    ],
  },
];
