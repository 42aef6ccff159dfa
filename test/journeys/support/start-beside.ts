import { onTestFinished } from 'vitest';
import type { PlainConfig } from '../../support/plain-config.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { Clock } from '../../../src/platform/time/time.ts';
import { TestService } from '../../support/start-service.ts';

/**
 * Starts another service on the data and the sandbox of an earlier one: a second replica, or the same one with other
 * settings or another clock. It ends with the test.
 */
export async function startBeside(
  service: TestService,
  other: { readonly config?: Partial<PlainConfig>; readonly clock?: Clock } = {},
): Promise<TestService> {
  const { clock = service.sandbox.clock } = other;
  const sandbox: Sandbox = { ...service.sandbox, clock };
  const beside = new TestService(sandbox, { ...service.config, ...other.config });
  onTestFinished(async () => beside.stop());
  await beside.start();
  return beside;
}
