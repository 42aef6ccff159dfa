import { explainCheck, numberInWords } from '../check/check-words.ts';
import { countryName } from '../countries.ts';
import { routeTo } from '../route.ts';
import type { LoggedEvent } from '../wire.ts';
import { explainWatchError } from '../watches/watch-words.ts';
import { countInWords, dateInWords } from '../words.ts';

export type EventType = LoggedEvent['type'];

/** The names of the types of events. */
export const typeNames: Readonly<Record<EventType, string>> = {
  'rates.changed': 'VAT rates changed',
  'categories.changed': 'Rates of goods changed',
  'vat.checked': 'VAT check ended',
  'vat.changed': 'Watched number changed',
  'vat.watch_failed': 'Watch failed',
};

/** An event in words, with a link to the data that it is about. */
export type EventText = {
  readonly href: string;
  readonly subject: string;
  readonly text: string;
};

export function explainEvent(event: LoggedEvent): EventText {
  switch (event.type) {
    case 'rates.changed':
      return {
        href: routeTo('changes', { since: event.snapshotDate }),
        subject: dateInWords(event.snapshotDate),
        text: summariseChanges(event),
      };
    case 'categories.changed':
      return {
        href: routeTo('goods', { date: event.snapshotDate }),
        subject: dateInWords(event.snapshotDate),
        text: summariseChanges(event),
      };
    case 'vat.checked':
      return {
        href: routeTo('check', { id: event.check.id }),
        subject: numberInWords(event.check),
        text: explainCheck(event.check).title,
      };
    case 'vat.changed':
      return {
        href: routeTo('check', { id: event.current.id }),
        subject: numberInWords(event.watch),
        text: describeChange(event),
      };
    case 'vat.watch_failed':
      return {
        href: routeTo('check', event.check === null ? { show: 'watches' } : { id: event.check.id }),
        subject: numberInWords(event.watch),
        text: explainWatchError(event.watch) ?? 'The number is not watched at present.',
      };
  }
}

/** “3 changes: Austria, Hungary”. */
function summariseChanges({
  changes,
  count,
}: LoggedEvent & { readonly type: 'rates.changed' | 'categories.changed' }): string {
  const countries = new Set(changes.map(({ country }) => countryName(country)));
  return `${countInWords(count, 'change')}: ${[...countries].join(', ')}`;
}

/** “Not registered; before: Valid”, or “the name and the address changed”. */
function describeChange({
  previous,
  current,
  changed,
}: LoggedEvent & { readonly type: 'vat.changed' }): string {
  if (changed.includes('valid')) {
    return `${explainCheck(current).title}; before: ${explainCheck(previous).title}`;
  }
  return `${changed.map((field) => `the ${field}`).join(' and ')} changed`;
}
