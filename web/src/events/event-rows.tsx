import type { JSX } from 'preact';
import type { LoggedEvent } from '../wire.ts';
import { datedMoment } from '../words.ts';
import { explainEvent, typeNames } from './event-words.ts';

/** A list of events, each with a link to the data that it is about. */
export function EventRows({ events }: { readonly events: readonly LoggedEvent[] }): JSX.Element {
  return (
    <ul class="checks">
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ul>
  );
}

function EventRow({ event }: { readonly event: LoggedEvent }): JSX.Element {
  const { href, subject, text } = explainEvent(event);
  return (
    <li class="check event">
      <span class="check-number">{typeNames[event.type]}</span>
      <span class="check-moment hint">
        <time dateTime={event.timestamp}>{datedMoment(event.timestamp)}</time>
      </span>
      <span class="check-about">
        <a href={href}>{subject}</a> · {text}
      </span>
      <span class="check-moment hint">
        <code>{event.type}</code>
      </span>
    </li>
  );
}
