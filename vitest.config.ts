import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // A deadline for conditions, not a measurement: machines are shared and noisy.
    expect: { poll: { timeout: 10_000 } },
  },
});
