import { ApiError, type ApiErrorName } from '../../platform/http/responses/api-errors.ts';
import type { RegistryName } from '../registries/registry.ts';
import type { Failure, Unanswered } from '../registries/outcome.ts';

const failed: Readonly<Record<Failure, ApiErrorName>> = {
  blocked: 'registryBlocked',
  forbidden: 'registryBlocked',
  tooManyRequests: 'registryBlocked',
  numberBlocked: 'registryBlockedNumber',
  unknownCode: 'registryUnknownCode',
  webPage: 'registryWebPage',
  unreadable: 'registryUnreadable',
  otherNumber: 'registryOtherNumber',
  unexpectedAnswer: 'registryUnreadable',
  credentialsRefused: 'registryDown',
  unreachable: 'registryUnreachable',
};

/** The error of interface 7 that names the reason why the registry gave no answer. */
export function errorOf(outcome: Unanswered): ApiErrorName {
  switch (outcome.kind) {
    case 'rejected':
      return 'invalidInput';
    case 'memberStateUnavailable':
      return 'memberStateDown';
    case 'serviceUnavailable':
      return 'registryDown';
    case 'timedOut':
      return 'registryTimeout';
    case 'failed':
      return failed[outcome.failure];
  }
}

/** The words of a stored check for a failure of its newest attempt: those of VIES, or of the tables of rules M9 and M11. */
export function storedErrorOf(registry: RegistryName, outcome: Unanswered): string {
  if (registry === 'vies') return new ApiError(errorOf(outcome)).message;
  if (outcome.kind !== 'failed') return 'SERVICE_UNAVAILABLE';
  if (outcome.failure === 'unreachable') return 'SERVICE_UNAVAILABLE';
  return outcome.failure === 'credentialsRefused' ? 'INVALID_CREDENTIALS' : 'UNEXPECTED_ANSWER';
}
