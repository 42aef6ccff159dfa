import type { JSX } from 'preact';
import { AsApiCall } from './as-api-call.tsx';
import { DownloadCsv, type FetchCsv } from './download-csv.tsx';

/** The ways to get the data of a view without the console: a CSV file, and curl commands. */
export function DataTools(props: {
  /** The path of the data for CSV; undefined while nothing is shown. */
  readonly csv: string | undefined;
  readonly fetchCsv?: FetchCsv;
  /** The paths of the view's requests. */
  readonly paths: readonly string[];
}): JSX.Element {
  const { csv, fetchCsv, paths } = props;
  return (
    <div class="data-tools">
      {csv === undefined ? null : <DownloadCsv key={csv} path={csv} fetchCsv={fetchCsv} />}
      <AsApiCall paths={paths} />
    </div>
  );
}
