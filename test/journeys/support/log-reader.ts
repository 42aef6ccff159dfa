import { expect } from 'vitest';
import type { TestService } from '../../support/start-service.ts';

export type LogLine = {
  readonly level: string;
  readonly msg: string;
  /** The whole line. */
  readonly text: string;
};

/**
 * The lines of a service's log from `from` on that are warnings or worse, but for the one about a checkout in which
 * `npm run build:console` has not run.
 */
export function readTrouble(service: TestService, from = 0): LogLine[] {
  return service.logLines
    .slice(from)
    .map((text) => ({ ...(JSON.parse(text) as { level: string; msg: string }), text }))
    .filter(({ level }) => ['warn', 'error', 'fatal'].includes(level))
    .filter(({ msg }) => !msg.startsWith('the console is not built'));
}

/** Expects one error in one line with its reason: no long stack, and no repetition. */
export function expectOneLine(lines: readonly LogLine[], reason: string): void {
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'error' });
  expect(lines[0]?.text.trim()).not.toContain('\n');
  expect(lines[0]?.text).toContain(reason);
}
