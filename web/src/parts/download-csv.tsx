import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DownloadedFile } from '../session/api.ts';
import type { Failure } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import { Failed } from './failed.tsx';

/** Browsers need the object URL of a download for a while after the click. */
const objectUrlMs = 60_000;

/** A button that saves the data of a path as a CSV file. A link cannot do that, because the key is in a header. */
export function DownloadCsv({ path }: { readonly path: string }): JSX.Element {
  const api = useApi();
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const download = async (): Promise<void> => {
    setLoading(true);
    const outcome = await api.download(csvPathOf(path));
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
function csvPathOf(path: string): string {
  return path.replace(/(?=\?|$)/, '.csv');
}

function saveFile({ name, content }: DownloadedFile): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), objectUrlMs);
}
