import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useDismissal } from '../parts/use-dismissal.ts';
import { useRoute } from '../route.ts';
import type { Usage } from '../wire.ts';
import { dateInWords, momentInWords } from '../words.ts';
import { useLoad, useReloadFor } from './load.ts';

const numbers = new Intl.NumberFormat('en-GB');

/** The name of the key, its limits and its use of them, and a button that forgets the key. */
export function KeyUsage({ onLeave }: { readonly onLeave: () => void }): JSX.Element {
  const { data, reload } = useLoad<Usage>('/usage');
  const { view } = useRoute();
  // The request is not charged.
  useReloadFor(view, reload);
  const details = useRef<HTMLDetailsElement>(null);
  useDismissal(details);
  return (
    <details class="key-usage" ref={details}>
      <summary>
        <span class="hidden">Key: </span>
        {data?.name ?? 'Key'}
      </summary>
      <div class="popover">
        {data === undefined ? null : (
          <dl>
            <dt>This minute</dt>
            <dd>{printAllowance(data.rateLimit)}</dd>
            <dt>This month</dt>
            <dd>{printAllowance(data.quota)}</dd>
            {data.quota.limit === null ? null : (
              <>
                <dt>Month ends</dt>
                <dd>{momentInWords(data.quota.resetsAt)}</dd>
              </>
            )}
            <dt>Expires</dt>
            <dd>{data.expiresAt === null ? 'never' : dateInWords(data.expiresAt)}</dd>
          </dl>
        )}
        <button type="button" onClick={onLeave}>
          Forget the key
        </button>
      </div>
    </details>
  );
}

function printAllowance({ limit, used }: Usage['quota'] | Usage['rateLimit']): string {
  const requests = `${numbers.format(used)} used`;
  return limit === null ? `${requests}, no limit` : `${requests} of ${numbers.format(limit)}`;
}
