import type { ProofName, Promised } from '../test/support/proof.ts';
import { type Proof, sqlite } from './proof.ts';

/** Proofs that belong to no single promise: samples, the API without its fast path, and tests that fail on wrong code. */
export const proofsOfTests: Readonly<Record<Exclude<ProofName, Promised>, Proof>> = {
  samples: {
    title: 'Samples and documents for a newcomer',
    goal: 'The samples of the documents in Python, PHP, Java, Go and C# give exact amounts, tell an outage from an answer, accept signed webhooks only, and follow the event log. Clients that three generators make from `openapi.json` work. The packages work with the oldest Node that the documents name. The commands of the documents work in a new clone, and sixty days ahead.',
    suites: [
      sqlite(
        'test/samples/samples.test.ts',
        'test/samples/follow.test.ts',
        'test/package/generated-clients.test.ts',
        'test/package/installs.test.ts',
        'test/walkthrough/checkout.test.ts',
        'test/walkthrough/ahead.test.ts',
      ),
    ],
    when: 'parallel',
    isLong: true,
    smaller: 'a language that is not installed is skipped.',
  },
  parity: {
    title: 'The API without its fast path',
    goal: 'All tests of the API pass if every request goes through `node:http`.',
    suites: [{ project: 'general', files: ['test/api/', 'test/vat-check/', 'test/openapi/'] }],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
  defects: {
    title: 'Planted defects',
    goal: 'On each of at least twelve builds that are broken on purpose, a named test fails.',
    suites: [sqlite('test/defects/defects.test.ts')],
    when: 'parallel',
    smaller: null,
  },
  mutants: {
    title: 'Mutants of pure files',
    goal: 'Of the small changes that a mutation tester makes to files without I/O, tests find at least 85 % in each file.',
    suites: [],
    program: ['prove/mutation/main.ts'],
    when: 'parallel',
    isLong: true,
    smaller: null,
  },
};
