import type { Failure } from '../session/failure.ts';
import { durationInWords } from '../words.ts';

/** A failure as somebody would explain it: what happened, and what to do. */
export type Explanation = { readonly title: string; readonly advice: string };

/** What the service's own errors mean, by their text. */
const known: Readonly<Record<string, Explanation>> = {
  'no data yet': {
    title: 'No VAT rates yet',
    advice:
      'The first run has not published anything. It starts by itself with the service and takes about a minute; the status view tells how it went.',
  },
  'no fx data yet': {
    title: 'No exchange rates yet',
    advice:
      'The first run has not published anything. It starts by itself with the service and takes about a minute; the status view tells how it went.',
  },
  'snapshot not found': {
    title: 'Nothing is stored for this date',
    advice: 'Choose another date. An operator can fetch earlier ones with “vatfx backfill rates”.',
  },
  'fx snapshot not found': {
    title: 'No exchange rates were published on this date',
    advice: 'There are none on weekends and on some holidays. Choose a day next to it.',
  },
  'scope missing: read': {
    title: 'This key may not look anything up',
    advice:
      'It works, but it lacks the scope “read”, which everything here needs. Give another key, or ask the operator of the service to change it: “vatfx keys change”.',
  },
  'temporarily unavailable': {
    title: 'The database does not answer',
    advice:
      'The service works without it as far as it can, and this needs it. It comes back by itself: try again soon.',
  },
  'internal error': {
    title: 'The service made a mistake',
    advice: 'It was logged. Try again; if it stays, tell whoever operates the service.',
  },
};

/** Explains any failure. */
export function explainFailure(failure: Failure): Explanation {
  switch (failure.kind) {
    case 'offline':
      return {
        title: 'You are offline',
        advice: 'This device has no network. It is tried again as soon as the network is back.',
      };
    case 'away':
      return {
        title: 'The service does not answer',
        advice: 'It may be restarting, or the way to it is interrupted. Try again in a moment.',
      };
    case 'foreign':
      return {
        title: `Something else answered (status ${failure.status})`,
        advice:
          'Between you and the service there is a proxy or a login page. Ask whoever runs it.',
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
    retryAfterSeconds === null ? 'later' : `in ${durationInWords(Math.max(1, retryAfterSeconds))}`;
  if (error === 'QUOTA_EXCEEDED') {
    return {
      title: 'The quota of this key is used up',
      advice: `It starts anew at the beginning of the month, ${when}. An operator can raise it.`,
    };
  }
  if (error === 'RATE_LIMITED') {
    return {
      title: 'Too many requests',
      advice: `The limit of a minute is reached. Try again ${when}.`,
    };
  }
  return (
    known[error] ?? {
      title: `The service refused: ${error}`,
      advice:
        status >= 500
          ? `That is a problem of the service. Try again ${when}.`
          : 'Change what you asked for, and try again.',
    }
  );
}
