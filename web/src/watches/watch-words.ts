import { explainCheck } from '../check/check-words.ts';
import type { EventPage, Watch } from '../wire.ts';
import { countInWords, dateInWords } from '../words.ts';

/** An event about a watched number: its answer changed, or it cannot be checked at present. */
export type WatchEvent = Extract<
  EventPage['events'][number],
  { readonly type: 'vat.changed' | 'vat.watch_failed' }
>;

const errors: Readonly<Record<NonNullable<Watch['error']>, string>> = {
  QUOTA_EXCEEDED: 'The quota of this key is used up: the next check waits until there is some.',
  INVALID_REQUESTER: 'Not checked: this key may not use the requester, or the registry refuses it.',
  INVALID_INPUT: 'The registry refuses this number.',
};

/** The reason why a number is not watched at present; undefined if it is. */
export function explainWatchError({ error }: Watch): string | undefined {
  return error === null ? undefined : errors[error];
}

/** Whether the first check is due. A watch whose newest check was deleted has none either, but the next one is due later. */
export function isFirstDue({ lastCheck, nextCheckAt, createdAt }: Watch): boolean {
  return lastCheck === null && nextCheckAt <= createdAt;
}

/** “checked at least every 90 days, next on 13 February 2027”. */
export function scheduleInWords(watch: Watch): string {
  const { everyDays, nextCheckAt } = watch;
  const period = everyDays === 1 ? 'every day' : `at least every ${countInWords(everyDays, 'day')}`;
  const next = isFirstDue(watch)
    ? 'the first check is due now'
    : `next on ${dateInWords(nextCheckAt)}`;
  return `checked ${period}, ${next}`;
}

/** What changed about a watched number: “Valid → Not registered”. */
export function changeInWords(event: WatchEvent): string {
  if (event.type === 'vat.watch_failed') return explainWatchError(event.watch) ?? 'Not checked.';
  const { previous, current, changed } = event;
  return changed
    .map((field) => {
      if (field === 'valid')
        return `${explainCheck(previous).title} → ${explainCheck(current).title}`;
      const name = field === 'name' ? 'Name' : 'Address';
      return `${name}: ${previous[field] ?? ''} → ${current[field] ?? ''}`;
    })
    .join('; ');
}
