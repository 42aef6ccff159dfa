import type { JSX } from 'preact';
import { Failed } from '../parts/failed.tsx';
import type { StoredCheck } from '../wire.ts';
import { toCheckRequest } from './order.ts';
import { useSubmission } from './use-submission.ts';

/**
 * A button that makes a new check with the same question: the service has no way to hurry one that waits, but asks at once
 * for a new one.
 */
export function CheckAgain({ check }: { readonly check: StoredCheck }): JSX.Element {
  const { failure, isSending, send } = useSubmission();
  const { countryCode, vatNumber, requester, trader, reference, status } = check;
  const again = (): void => {
    const wanted = { countryCode, vatNumber, requester, trader, reference };
    if (!isSending) void send(toCheckRequest(wanted));
  };
  return (
    <>
      <button type="button" aria-disabled={isSending} onClick={again}>
        {isSending ? 'Checking …' : 'Check again now'}
      </button>
      {status === 'pending' ? (
        <p class="hint wide">
          “Check again now” makes a new check of this number. It is asked at once, unless its
          registry is known to be unavailable. This one stays, and is tried as before.
        </p>
      ) : null}
      {failure === undefined ? null : <Failed failure={failure} onRetry={again} />}
    </>
  );
}
