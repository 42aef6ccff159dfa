import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import type { ViesScript } from '../../../src/sandbox/scenario/vies-script.ts';
import { SettableClock } from '../settable-clock.ts';

/** Starts a sandbox at noon of 2026-11-20 whose VIES follows a script; it ends with the test. */
export async function openVies(vies: ViesScript = {}): Promise<Sandbox> {
  const clock = new SettableClock('2026-11-20T12:00:00Z');
  const sandbox = await startSandbox({ clock });
  onTestFinished(() => sandbox.close());
  sandbox.scenario.apply({ vies });
  return sandbox;
}
