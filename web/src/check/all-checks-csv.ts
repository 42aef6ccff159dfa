import { readCsv } from '../../../src/platform/read-csv.ts';
import { csvPathOf, type FetchCsv } from '../parts/download-csv.tsx';
import type { DownloadedFile } from '../session/api.ts';

/** The largest number of checks in one answer (rule K11). */
const rowsMax = 500;

/** The longest wait for a rate limit; a longer one is a failure. */
const waitSecondsMax = 120;

/**
 * Requests all checks of a list as one CSV file: as many answers as it needs, without the headings of later ones. If the
 * rate limit is reached it waits.
 */
export const fetchAllChecks: FetchCsv = async (api, path) => {
  const [base = '', query = ''] = csvPathOf(path).split('?');
  const params = new URLSearchParams(query);
  params.set('limit', String(rowsMax));
  params.delete('cursor');
  const parts: Blob[] = [];
  for (;;) {
    const outcome = await api.download(`${base}?${params.toString()}`);
    if (outcome.kind === 'failed') {
      const { failure } = outcome;
      const seconds = failure.kind === 'refused' ? failure.retryAfterSeconds : undefined;
      const isLimit = failure.kind === 'refused' && failure.error === 'RATE_LIMITED';
      if (!isLimit || seconds === undefined || seconds > waitSecondsMax) return outcome;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      continue;
    }
    const page = await readPage(outcome.data);
    parts.push(parts.length === 0 ? outcome.data.content : page.rows);
    if (page.count < rowsMax) {
      return { kind: 'answered', data: { ...outcome.data, content: new Blob(parts) } };
    }
    params.set('cursor', page.lastId);
  }
};

type Page = {
  /** The rows without the heading. */
  readonly rows: Blob;
  readonly count: number;
  /** The cursor of the next page: the id in the first cell of the last row. */
  readonly lastId: string;
};

async function readPage({ content }: DownloadedFile): Promise<Page> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const table = readCsv(bytes);
  const rows = table.kind === 'table' ? table.rows : [];
  return {
    rows: content.slice(bytes.indexOf(0x0a) + 1),
    count: rows.length,
    lastId: rows.at(-1)?.cells[0] ?? '',
  };
}
