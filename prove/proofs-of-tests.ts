import type { ProofName, Promised } from '../test/support/proof.ts';
import { type Proof, sqlite } from './proof.ts';

/** Proofs that belong to no single promise: tests that fail on wrong code. */
export const proofsOfTests: Readonly<Record<Exclude<ProofName, Promised>, Proof>> = {
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
