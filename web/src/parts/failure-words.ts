import type { Failure } from '../session/failure.ts';
import { durationInWords } from '../words.ts';

/** A failure in words: what happened, and what to do. */
export type Explanation = { readonly title: string; readonly advice: string };

const firstRun =
  'The service fetches its first data when it starts, which takes about a minute. The status view shows whether that succeeded.';

/** Shown while no exchange rates are published: by the chart, and for the 404 of a request. */
export const noExchangeRatesYet: Explanation = {
  title: 'No exchange rates yet',
  advice: firstRun,
};

/** Explanations by the text of the service's error. */
const byErrorText: Readonly<Record<string, Explanation>> = {
  'no data yet': {
    title: 'No VAT rates yet',
    advice: firstRun,
  },
  'no fx data yet': noExchangeRatesYet,
  'snapshot not found': {
    title: 'Nothing is stored for this date',
    advice: 'Choose another date. An operator can fetch past dates with “vatfx backfill rates”.',
  },
  'no categories for this date': {
    title: 'No rates of goods and services yet',
    advice:
      'The newest VAT rates were stored by an earlier version of the service, without rates of goods and services. They come with the next daily run. An operator can add them to stored dates with “vatfx backfill rates --categories”.',
  },
  'fx snapshot not found': {
    title: 'No exchange rates were published on this date',
    advice:
      'The European Central Bank publishes no rates on weekends and some holidays. Choose the day before or after.',
  },
  'scope missing: read': {
    title: 'This key may not read data',
    advice:
      'The key is valid, but it lacks the scope “read”, which the console needs. Use another key, or request the scope from the operator of the service, who can add it with “vatfx keys change”.',
  },
  'scope missing: checks': {
    title: 'This key may not check VAT numbers',
    advice:
      'The key is valid, but it lacks the scope “checks”. Use another key, or request the scope from the operator of the service, who can add it with “vatfx keys change”.',
  },
  'requester not allowed': {
    title: 'This key may not name this requester',
    advice:
      'The operator of the service has set the requester of this key. Empty the field for your own VAT number.',
  },
  'watch limit reached': {
    title: 'This key watches as many numbers as it may',
    advice: 'Remove a watch, or use another key.',
  },
  'not found': {
    title: 'This does not exist, or no longer',
    advice: 'It may have been deleted, or it belongs to another key.',
  },
  'temporarily unavailable': {
    title: 'The database does not answer',
    advice:
      'This request needs the database. The service still answers requests that do not need it. Try again soon.',
  },
  'internal error': {
    title: 'The service failed',
    advice:
      'Try again. If that does not help, report it to the operator of the service: the log has the error.',
  },
};

/** Explains a failure of any kind. */
export function explainFailure(failure: Failure): Explanation {
  switch (failure.kind) {
    case 'offline':
      return {
        title: 'You are offline',
        advice: 'This device has no network. The page tries again as soon as the network is back.',
      };
    case 'unreachable':
      return {
        title: 'The service does not answer',
        advice:
          'The service is restarting, or the connection to it is interrupted. Try again in a moment.',
      };
    case 'foreign':
      return {
        title: `The answer is not from the service (status ${failure.status})`,
        advice:
          'It comes from a proxy or a login page in front of the service. Contact the operator of the service.',
      };
    case 'refused':
      return explainRefusal(failure);
  }
}

function explainRefusal({
  status,
  error,
  retryAfterSeconds,
}: Failure & { readonly kind: 'refused' }): Explanation {
  const when =
    retryAfterSeconds === undefined
      ? 'later'
      : `in ${durationInWords(Math.max(1, retryAfterSeconds))}`;
  if (error === 'QUOTA_EXCEEDED') {
    return {
      title: 'The quota of this key is used up',
      advice: `The next month begins ${when}. The operator of the service can raise the quota.`,
    };
  }
  if (error === 'RATE_LIMITED') {
    return {
      title: 'Too many requests',
      advice: `The limit of requests per minute is reached. Try again ${when}.`,
    };
  }
  return (
    byErrorText[error] ?? {
      title: `The service refused the request: ${error}`,
      advice:
        status >= 500
          ? `The service has a problem. Try again ${when}.`
          : 'Change the request and try again.',
    }
  );
}
