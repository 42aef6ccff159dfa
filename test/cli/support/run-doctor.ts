import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { type Environment, type Finished, runCommand } from '../../support/run-cli.ts';

/** Runs `doctor`. `found` has the first finding of each check. */
export async function runDoctor(
  env: Environment,
): Promise<Pick<Finished, 'code' | 'stderr'> & { readonly found: Record<string, Finding> }> {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json'], env);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  const found = Object.fromEntries(findings.toReversed().map((one) => [one.check, one]));
  return { code, stderr, found };
}

/** The states of all checks other than `ok`. */
export function listProblems(found: Readonly<Record<string, Finding>>): Record<string, string> {
  const entries = Object.values(found).filter(({ state }) => state !== 'ok');
  return Object.fromEntries(entries.map(({ check, state }) => [check, state]));
}
