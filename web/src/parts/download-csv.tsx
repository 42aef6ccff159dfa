import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { byteOrderMark } from '../../../src/platform/csv/csv.ts';
import type { Api, DownloadedFile } from '../session/api.ts';
import type { Failure, RequestOutcome } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import { Failed } from './failed.tsx';
import { saveFile } from './save-file.ts';

/** Requests the data of a path as a CSV file. */
export type FetchCsv = (api: Api, path: string) => Promise<RequestOutcome<DownloadedFile>>;

/** The service's own file has no byte order mark, because programs would read it as a part of the first heading. */
const fetchOne: FetchCsv = async (api, path) => {
  const outcome = await api.download(csvPathOf(path));
  if (outcome.kind === 'failed') return outcome;
  const { content, ...file } = outcome.data;
  return { ...outcome, data: { ...file, content: new Blob([byteOrderMark, content]) } };
};

/** A button that saves the data of a path as a CSV file. A link cannot do that, because the key is in a header. */
export function DownloadCsv(props: {
  readonly path: string;
  /** By default one request. */
  readonly fetchCsv?: FetchCsv | undefined;
}): JSX.Element {
  const { path, fetchCsv = fetchOne } = props;
  const api = useApi();
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const download = async (): Promise<void> => {
    setLoading(true);
    const outcome = await fetchCsv(api, path);
    setLoading(false);
    setFailure(outcome.kind === 'failed' ? outcome.failure : undefined);
    if (outcome.kind === 'answered') saveFile(outcome.data);
  };
  return (
    <div class="download">
      <button type="button" disabled={isLoading} onClick={() => void download()}>
        Download CSV
      </button>
      {failure === undefined ? null : <Failed failure={failure} onRetry={() => void download()} />}
    </div>
  );
}

/** The path of the same data as CSV: `.csv` before the query (contract C36). */
export function csvPathOf(path: string): string {
  return path.replace(/(?=\?|$)/, '.csv');
}
