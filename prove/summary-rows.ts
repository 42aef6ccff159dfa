import type { ProofName } from '../test/support/proof.ts';

/** A number that a run counted: the sum over the figures of a promise that a pattern matches. */
export type Count = {
  readonly of: ProofName;
  /** Its first group is the number; without a group each figure counts as one. It matches only the figures of the program as it is, not those of broken builds. */
  readonly pattern: RegExp;
};

/** A row of the summary. */
export type SummaryRow = {
  /** The meaning of the promises for the company that runs the service. */
  readonly title: string;
  readonly promises: readonly ProofName[];
  /** Counts and the words after each of them, in the order of the text. */
  readonly counted: readonly (readonly [count: Count, words: string])[];
};

/** The rows of the summary; each promise is in one of them. */
export const summaryRows: readonly SummaryRow[] = [
  {
    title: 'A crash, a power failure or a full disk loses and doubles nothing',
    promises: ['R1', 'R2', 'R3', 'R9', 'R16'],
    counted: [
      [{ of: 'R1', pattern: /^(\d+) kills in / }, 'kills of the process while it published'],
      [{ of: 'R1', pattern: / (\d+) rows, events and publications lost/ }, 'rows or events lost'],
      [{ of: 'R16', pattern: /^(\d+) kills on / }, 'kills while it delivered webhooks'],
      [{ of: 'R16', pattern: /^\d+ kills on .* (\d+) lost, / }, 'deliveries lost'],
      [{ of: 'R2', pattern: / (\d+) acknowledged commits lost/ }, 'commits lost by power failures'],
      [{ of: 'R9', pattern: /^(\d+) of \d+ backups, / }, 'backups restored'],
    ],
  },
  {
    title: 'Wrong or incomplete data is not published',
    promises: ['R4', 'R5', 'R8', 'R12'],
    counted: [
      [{ of: 'R5', pattern: /^(\d+) refreshes from / }, 'spoiled documents fetched'],
      [{ of: 'R5', pattern: /^\d+ refreshes .* (\d+) implausible$/ }, 'implausible ones published'],
      [{ of: 'R4', pattern: /^from seed \d+: (\d+) seeds × 365 days/ }, 'simulated years'],
      [{ of: 'R4', pattern: / ([\d,]+) violations$/ }, 'violations'],
    ],
  },
  {
    title: 'Every day is published once, also after an outage and by several replicas',
    promises: ['R6', 'R7'],
    counted: [
      [{ of: 'R7', pattern: /^as it is, 5 replicas and (\d+) days/ }, 'days with 5 replicas'],
      [
        { of: 'R7', pattern: /^as it is, .* (\d+) days not published/ },
        'not published exactly once',
      ],
    ],
  },
  {
    title: 'An outage of a registry is never reported as an invalid VAT number',
    promises: ['R10', 'R11', 'R13', 'R14'],
    counted: [
      [{ of: 'R13', pattern: /^\d+ false valid:false in (\d+) answers/ }, 'answers of VIES'],
      [{ of: 'R13', pattern: /^(\d+) false valid:false/ }, 'wrongly reported as invalid'],
      [{ of: 'R10', pattern: /^(\d+) of 12 stalls ended/ }, 'of 12 stalls ended by the deadline'],
    ],
  },
  {
    title: 'Webhooks are signed and arrive after the data that they announce',
    promises: ['R15', 'R17', 'R19'],
    counted: [
      [{ of: 'R15', pattern: /^\d+ of (\d+) deliveries/ }, 'altered deliveries'],
      [{ of: 'R15', pattern: /^(\d+) of \d+ deliveries/ }, 'of them refused'],
      [{ of: 'R19', pattern: /^\d+ of (\d+) (?!.*caught).*/ }, 'webhooks'],
      [{ of: 'R19', pattern: /^(\d+) of \d+ (?!.*caught).*/ }, 'of them with their data there'],
    ],
  },
  {
    title: 'Attackers and faulty callers get no data, no secrets, and do not stop the service',
    promises: ['R18', 'R20', 'R21', 'R22', 'R23', 'R24', 'R28'],
    counted: [
      [{ of: 'R23', pattern: /^(\d+) requests / }, 'generated requests'],
      [{ of: 'R23', pattern: / (\d+) unexpected 5xx/ }, 'server errors'],
      [{ of: 'R23', pattern: / (\d+) unauthenticated 2xx/ }, 'answered without a key'],
      [{ of: 'R18', pattern: /^\d+ of (\d+) spellings / }, 'spellings of internal addresses'],
      [{ of: 'R18', pattern: /^\d+ of \d+ spellings .* (\d+) at the listener/ }, 'of them reached'],
    ],
  },
  {
    title:
      'Restarts lose no request, published data is answered without the database, and memory is stable',
    promises: ['R25', 'R26', 'R27'],
    counted: [
      [{ of: 'R25', pattern: /^(\d+) rolling restarts / }, 'rolling restarts under load'],
      [{ of: 'R25', pattern: /^\d+ rolling .* \d+ of (\d+) requests failed/ }, 'requests'],
      [{ of: 'R25', pattern: /^\d+ rolling .* (\d+) of \d+ requests failed/ }, 'failed'],
    ],
  },
  {
    title: 'The tests themselves find errors',
    promises: ['parity', 'defects', 'mutants'],
    counted: [[{ of: 'defects', pattern: /a build that .* is caught by/ }, 'broken builds caught']],
  },
];
