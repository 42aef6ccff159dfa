import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Api } from '../session/api.ts';
import type { Failure } from '../session/failure.ts';
import { type Load, useLoad } from '../session/load.ts';
import { useApi } from '../session/session.ts';
import type { ChangeList, DateList, RateSnapshot } from '../wire.ts';
import { findSteps, type Step } from './history.ts';

/** The stored days, and the steps of a country's history among them. */
export type History = {
  /** Oldest first. */
  readonly dates: readonly string[];
  readonly steps: readonly Step[];
};

/** Snapshots that were read with an API, by date. They never change, and each has all countries. */
const snapshotsOf = new WeakMap<Api, Map<string, Promise<RateSnapshot>>>();

type Found = {
  readonly country: string;
  readonly data?: History;
  readonly failure?: Failure;
};

/** Loads the history of a country from the stored days. */
export function useHistory(country: string, logPath: string): Omit<Load<History>, 'isLoading'> {
  const api = useApi();
  const stored = useLoad<DateList>('/rates/dates');
  const log = useLoad<ChangeList>(logPath);
  const [found, setFound] = useState<Found>();
  const [attempts, setAttempts] = useState(0);
  const dates = stored.data?.dates;
  const changes = log.data?.changes;
  useEffect(() => {
    setFound(undefined);
    if (dates === undefined || changes === undefined) return undefined;
    const abort = new AbortController();
    const changedOn = new Set(changes.map(({ snapshotDate }) => snapshotDate));
    const read = createReader(api);
    findSteps({ country, dates, changedOn, read }).then(
      (steps) => {
        if (!abort.signal.aborted) setFound({ country, data: { dates, steps } });
      },
      (error: unknown) => {
        if (!abort.signal.aborted && error instanceof ReadError)
          setFound({ country, failure: error.failure });
      },
    );
    return () => abort.abort();
  }, [api, country, dates, changes, attempts]);

  // The country may have changed since: another one's history is not shown.
  const own = found?.country === country ? found : undefined;
  const first = [stored, log].find(({ failure }) => failure !== undefined);
  const retry = useCallback(() => setAttempts((count) => count + 1), []);
  return {
    data: own?.data,
    failure: first?.failure ?? own?.failure,
    reload: first?.reload ?? retry,
  };
}

/** Ends a search for steps when a snapshot cannot be read. */
class ReadError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('a stored snapshot cannot be read');
    this.failure = failure;
  }
}

function createReader(api: Api): (date: string) => Promise<RateSnapshot> {
  const known = snapshotsOf.get(api) ?? new Map<string, Promise<RateSnapshot>>();
  snapshotsOf.set(api, known);
  return async (date) => {
    const reading = known.get(date) ?? readSnapshot(api, date);
    known.set(date, reading);
    // A snapshot that could not be read is requested again by the next attempt.
    reading.catch(() => known.delete(date));
    return reading;
  };
}

async function readSnapshot(api: Api, date: string): Promise<RateSnapshot> {
  const outcome = await api.get<RateSnapshot>(`/rates/${date}`);
  if (outcome.kind === 'failed') throw new ReadError(outcome.failure);
  return outcome.data;
}
