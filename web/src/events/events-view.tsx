import type { JSX } from 'preact';
import { AsApiCall } from '../parts/as-api-call.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams } from '../route.ts';
import { countInWords } from '../words.ts';
import { type LogState, pageSize, pathOf, shownMax } from './event-reader.ts';
import { EventRows } from './event-rows.tsx';
import { type EventType, typeNames } from './event-words.ts';
import { type Events, useEvents } from './use-events.ts';

const types = Object.keys(typeNames) as EventType[];

/** The newest events of the event log, and new ones as they happen (rule E7). */
export function EventsView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const type = types.find((one) => one === params.get('type')) ?? '';
  const log = useEvents(type);
  const { events, phase, failure } = log;
  return (
    <>
      <ViewHead title="Events">
        Changes of rates, and the ends of checks and changes of watched numbers of this key, newest
        first.
      </ViewHead>
      <div class="controls">
        <SelectField
          label="Type"
          value={type}
          options={[['', 'All types'], ...types.map((one) => [one, typeNames[one]] as const)]}
          onChoose={(chosen) => changeParams({ type: chosen })}
        />
      </div>
      {phase === 'reading' && failure === undefined && events.length === 0 ? <Loading /> : null}
      <Found log={log} />
      {phase === 'stopped' ? <LargeLog log={log} /> : null}
      {phase === 'live' && events.length === 0 ? (
        <NoEvents isFiltered={type !== '' || log.isFromNow} />
      ) : null}
      {failure === undefined ? null : <Failed failure={failure} onRetry={log.retry} />}
      {events.length === 0 ? null : <EventRows events={events} />}
      <AsApiCall paths={[pathOf({ type, limit: String(pageSize) })]} />
    </>
  );
}

/** How much of the log was read; screen readers read it out when it changes. */
function Found({ log }: { readonly log: LogState }): JSX.Element | null {
  const { events, phase, readCount } = log;
  if (readCount === 0) return null;
  const stored = countInWords(readCount, 'event');
  const shown = readCount > shownMax ? `, of which the newest ${events.length} are shown` : '';
  return (
    <p class="found" role="status">
      {phase === 'live' ? `${stored}${shown}. New events appear here.` : `${stored} read so far.`}
    </p>
  );
}

/** Asks whether to go on with a log that takes many requests. */
function LargeLog(props: { readonly log: Events }): JSX.Element {
  const { readCount, readOn, skipToEnd } = props.log;
  return (
    <Notice kind="hint" title="These are not the newest events yet">
      <p>
        The log can only be read from its oldest event on, and {readCount} events were read. Each
        further {pageSize} events are a request that counts against the limits of this key. To read
        less, choose a type.
      </p>
      <div class="notice-tools">
        <button type="button" onClick={readOn}>
          Read on
        </button>
        <button type="button" onClick={skipToEnd}>
          Only wait for new events
        </button>
      </div>
    </Notice>
  );
}

function NoEvents({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  return isFiltered ? (
    <Notice kind="hint" title="No such event yet">
      <p>New events appear here.</p>
    </Notice>
  ) : (
    <Notice kind="hint" title="No events yet">
      <p>
        An event is stored when a VAT rate changes, and when a VAT check of this key ends. New ones
        appear here.
      </p>
    </Notice>
  );
}
