import type { Defect } from './defect.ts';

const laws = {
  file: 'test/simulation/stored-checks.test.ts',
  test: 'each end once with one event, only by an answer to their own key and requester',
};

/** Defects of stored checks and their events (rules K6, K7, K9 and K14). */
export const checkDefects: readonly Defect[] = [
  {
    name: 'no answer is false',
    promised: 'R29',
    wrong: 'prints `valid: false` for a stored check without an answer',
    changes: [
      {
        file: 'vat-check/stored/print-check.ts',
        name: 'printCheck',
        by: '(whole, check) => ({ ...whole(check), valid: check.answer?.valid ?? false })',
      },
    ],
    caughtBy: {
      file: 'test/vat-check/stored-checks.test.ts',
      test: 'is 202 for a check that is pending: MS_UNAVAILABLE',
    },
  },
  {
    name: 'requester left out',
    promised: 'R29',
    wrong: 'queries the registry without the requester and the trader of a stored check',
    changes: [
      {
        file: 'vat-check/stored/attempts/registry-queries.ts',
        name: 'RegistryQueries.#query',
        by: `(whole, check, within) =>
          whole({ ...check, requester: undefined, trader: {} }, within)`,
      },
    ],
    caughtBy: {
      file: 'src/vat-check/stored/attempts/registry-queries.test.ts',
      test: 'uses checkVatApprox with a requester',
    },
  },
  {
    name: 'answer of another requester',
    promised: 'R29',
    wrong: 'answers a stored check with the answer to another requester or about another trader',
    changes: [
      {
        file: 'vat-check/stored/check-store.ts',
        name: 'findReusable',
        by: `async (whole, db, keyId, questions) =>
          Promise.all(questions.map(({ queried, oldestMs }) =>
            db
              .selectFrom('vat_checks')
              .selectAll()
              .where('key_id', '=', keyId)
              .where('registry_code', '=', queried.registryCode)
              .where('number', '=', queried.number)
              .where('status', '=', 'answered')
              .where('ended_at', '>=', formatInstant(oldestMs))
              .orderBy('ended_at', 'desc')
              .limit(1)
              .executeTakeFirst()))`,
      },
    ],
    caughtBy: {
      file: 'src/vat-check/stored/check-store.test.ts',
      test: 'finds a check without requester and trader only for the same',
    },
  },
  {
    name: 'answer of another key',
    promised: 'R29',
    wrong: 'answers a stored check with an answer that another key has received',
    changes: [
      {
        file: 'vat-check/stored/check-store.ts',
        name: 'findReusable',
        by: `async (whole, db, keyId, questions) =>
          Promise.all(questions.map(({ queried, requester, trader, oldestMs }) =>
            db
              .selectFrom('vat_checks')
              .selectAll()
              .where('number', '=', queried.number)
              .where('status', '=', 'answered')
              .where('ended_at', '>=', formatInstant(oldestMs))
              .where('requester_code', 'is not distinct from', requester?.registryCode ?? null)
              .where('trader', '=', traderText(trader))
              .orderBy('ended_at', 'desc')
              .limit(1)
              .executeTakeFirst()))`,
      },
    ],
    caughtBy: laws,
  },
  {
    name: 'outage of a stored check is false',
    promised: 'R29',
    wrong: 'ends a stored check with `valid: false` when its Member State is down',
    changes: [
      {
        file: 'vat-check/stored/attempts/registry-queries.ts',
        name: 'RegistryQueries.#query',
        by: `async (whole, ...args) => {
          const outcome = await whole(...args);
          if (outcome.kind !== 'memberStateUnavailable') return outcome;
          const silent = { name: null, address: null, consultationNumber: undefined, traderMatch: {} };
          const answer = { valid: false, requestDate: '2026-11-20+01:00', ...silent };
          return { kind: 'answered', answer, maxAgeSeconds: undefined };
        }`,
      },
    ],
    caughtBy: laws,
  },
  {
    name: 'faults forgotten',
    promised: 'R29',
    wrong: 'does not remember that a Member State was down',
    changes: [
      {
        file: 'vat-check/stored/attempts/fault-notes.ts',
        name: 'writeFaultAt',
        by: 'async () => {}',
      },
    ],
    caughtBy: laws,
  },
  {
    name: 'echo as data of the register',
    promised: 'R13',
    wrong: 'takes the name and address that were sent for data of the register',
    changes: [
      {
        file: 'vat-check/registries/vies/approx-answer.ts',
        name: 'readApproxAnswer',
        by: '(whole, message) => whole(message, {})',
      },
    ],
    caughtBy: {
      file: 'src/vat-check/registries/vies/approx-answer.test.ts',
      test: 'is recognised for each of name and address',
    },
  },
  {
    name: 'first false answer counts',
    promised: 'R29',
    wrong: 'does not confirm a false answer near an outage',
    changes: [{ file: 'vat-check/stored/attempts/progress.ts', name: 'isFinal', by: '() => true' }],
    caughtBy: laws,
  },
  {
    name: 'event of answers only',
    promised: 'R29',
    wrong: 'announces no stored check that was rejected or has expired',
    changes: [
      {
        file: 'vat-check/stored/check-events.ts',
        name: 'announceChecked',
        by: `(whole, announce) => async (tx, check) =>
          check.status === 'answered' ? whole(announce)(tx, check) : undefined`,
      },
    ],
    caughtBy: laws,
  },
  {
    name: 'signature not verified',
    promised: 'R30',
    wrong: 'verifies evidence by its digests, which anyone can compute again',
    changes: [
      { file: 'vat-check/stored/evidence/signature.ts', name: 'isSignedBy', by: '() => true' },
    ],
    caughtBy: {
      file: 'src/vat-check/stored/evidence/verify-flips.test.ts',
      test: 'is found in the file, in each part that it encodes, and with published keys',
    },
  },
  {
    name: 'watch believes the first false answer',
    promised: 'R13',
    wrong: 'reports a change to false without a second answer an hour later',
    changes: [
      {
        file: 'vat-check/watches/transition.ts',
        name: 'observe',
        by: '(whole, state, answer) => whole({ ...state, unconfirmedFalseAtMs: 0 }, answer)',
      },
    ],
    caughtBy: {
      file: 'test/vat-check/watch-laws.test.ts',
      test: 'report only what two answers prove (rule K14)',
    },
  },
  {
    name: 'body of any bytes',
    promised: 'R42',
    wrong: 'reads a body that is not UTF-8, with a mark for each character that it cannot read',
    changes: [
      {
        file: 'platform/values/utf8.ts',
        name: 'decode',
        by: '(whole, bytes) => new TextDecoder().decode(bytes)',
      },
    ],
    caughtBy: {
      file: 'test/fuzz/text.test.ts',
      test: 'of 60 bodies are stored, sent and signed as written, or refused',
    },
  },
];
