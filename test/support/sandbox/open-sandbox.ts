import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox.ts';
import type { ViesScript } from '../../../src/sandbox/scenario/vies-script.ts';
import { SettableClock } from '../settable-clock.ts';

type Options = Omit<SandboxOptions, 'clock'> & {
  /** An ISO instant; noon of 2026-11-20 unless given. */
  readonly at?: string;
};

/** A sandbox with the clock that it goes by. */
type Opened = { readonly sandbox: Sandbox; readonly clock: SettableClock };

/** Starts a sandbox whose clock stands still; it ends with the test. */
export async function openSandbox({ at, ...options }: Options = {}): Promise<Opened> {
  const clock = new SettableClock(at ?? '2026-11-20T12:00:00Z');
  const sandbox = await startSandbox({ clock, ...options });
  onTestFinished(() => sandbox.close());
  return { sandbox, clock };
}

/** Starts a sandbox whose VIES follows a script. */
export async function openVies(vies: ViesScript = {}): Promise<Sandbox> {
  const { sandbox } = await openSandbox();
  sandbox.scenario.apply({ vies });
  return sandbox;
}
