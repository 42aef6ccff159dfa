import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { explainCheck, numberInWords } from '../check/check-words.ts';
import { routeTo } from '../route.ts';
import { useStatus } from '../session/service-status.tsx';
import { useApi } from '../session/session.ts';
import { datedMoment } from '../words.ts';
import { type News, noteVisit, readVisits } from './last-visit.ts';
import { useWatchEvents } from './watch-events.ts';
import { changeInWords, type WatchEvent } from './watch-words.ts';

/** The watched numbers that changed since the visitor was here the last time; nothing on the first visit. */
export function ChangedSection(): JSX.Element | null {
  const api = useApi();
  const [visits] = useState(() => readVisits(api));
  // The first visit begins with the changes that come after it.
  const { data } = useWatchEvents(visits.since ?? visits.before ?? { at: '', cursor: 'now' });
  const now = useStatus().data?.now;
  const [news, setNews] = useState<News>();
  useEffect(() => {
    if (data !== undefined && now !== undefined) {
      setNews(noteVisit(api, visits, { at: now, ...data }));
    }
  }, [api, visits, data, now]);
  if (news === undefined) return null;
  const { since, changed } = news;
  return (
    <section aria-labelledby="changed-title">
      <h2 id="changed-title">
        {changed.length === 0 ? 'Nothing changed' : `${changed.length} changed`} since your last
        visit
      </h2>
      <p class="hint">You opened this page in this browser on {datedMoment(since.at)}.</p>
      {changed.length === 0 ? null : (
        <ul class="checks">
          {changed.toReversed().map((event) => (
            <Changed key={event.id} event={event} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Changed({ event }: { readonly event: WatchEvent }): JSX.Element {
  const { watch, timestamp } = event;
  const check = event.type === 'vat.changed' ? event.current : event.check;
  const kind = event.type === 'vat.changed' ? explainCheck(event.current).kind : 'problem';
  const about = [watch.trader?.name, watch.reference].filter((one) => one != null);
  return (
    <li class="check">
      <span class="check-number">
        {check === null ? (
          numberInWords(watch)
        ) : (
          <a href={routeTo('check', { id: check.id })}>{numberInWords(watch)}</a>
        )}
      </span>
      <span class={`check-result result-${kind}`}>{changeInWords(event)}</span>
      <span class="check-about">{about.join(' · ')}</span>
      <span class="check-moment hint">{datedMoment(timestamp)}</span>
    </li>
  );
}
