import type { JSX } from 'preact';
import type { Batch } from '../wire.ts';
import { countInWords, datedMoment } from '../words.ts';

/** How far the checks of a list are. Screen readers read out each change. */
export function BatchProgress({ batch }: { readonly batch: Batch }): JSX.Element {
  const { count, pending, answered, rejected, expired, createdAt } = batch;
  const parts = [
    `${answered} answered`,
    ...(rejected === 0 ? [] : [`${rejected} refused`]),
    ...(expired === 0 ? [] : [`${expired} without an answer in time`]),
    ...(pending === 0 ? [] : [`${pending} pending`]),
  ];
  const ended = answered + rejected + expired;
  return (
    <div class="batch">
      <progress max={count} value={ended} aria-label="Checks of the list that have ended" />
      <p role="status">
        List of {countInWords(count, 'number')} of {datedMoment(createdAt)}: {parts.join(', ')}.
      </p>
    </div>
  );
}
