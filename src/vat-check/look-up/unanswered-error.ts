import type { ApiErrorName } from '../../platform/http/responses/api-errors.ts';
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
