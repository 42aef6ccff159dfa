import { defineConfig } from 'vitest/config';
import { testsOfPureFiles } from './pure-files.ts';

/** The tests that the mutation tester runs for each mutant. */
export default defineConfig({ test: { include: testsOfPureFiles(), testTimeout: 30_000 } });
