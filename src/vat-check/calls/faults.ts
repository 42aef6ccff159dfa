import type { Outcome, RequesterRejected } from '../registries/outcome.ts';
import type { RegistryName } from '../registries/registry.ts';

/** The end of a call with any operation of a registry. */
export type AnyOutcome = Outcome | RequesterRejected;

/**
 * A fault of what shares a breaker and the rule on false answers (rules K9 and M7): of VIES one that only the Member State
 * can cause, of another registry every one but an answer that is not expected and a limit of its own.
 */
export function isGroupFault(registry: RegistryName, outcome: AnyOutcome): boolean {
  switch (outcome.kind) {
    case 'memberStateUnavailable':
    case 'timedOut':
      return true;
    case 'serviceUnavailable':
      return registry !== 'vies' && outcome.because === 'down';
    case 'failed':
      return registry !== 'vies' && outcome.failure === 'unreachable';
    case 'answered':
    case 'rejected':
    case 'requesterRejected':
      return false;
  }
}

/** A fault of the whole of VIES. An unknown code comes from a service that is alive, so it does not count. */
export function isServiceFault(registry: RegistryName, outcome: AnyOutcome): boolean {
  if (registry !== 'vies') return false;
  if (outcome.kind === 'serviceUnavailable') return true;
  return outcome.kind === 'failed' && outcome.failure === 'unreachable';
}
