import { csvPathOf, type FetchCsv } from '../parts/download-csv.tsx';

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
  let next: string | undefined = `${base}?${params.toString()}`;
  while (next !== undefined) {
    const outcome = await api.download(next);
    if (outcome.kind === 'failed') {
      const { failure } = outcome;
      const seconds = failure.kind === 'refused' ? failure.retryAfterSeconds : undefined;
      const isLimit = failure.kind === 'refused' && failure.error === 'RATE_LIMITED';
      if (!isLimit || seconds === undefined || seconds > waitSecondsMax) return outcome;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      continue;
    }
    const { content } = outcome.data;
    parts.push(parts.length === 0 ? content : await withoutHeading(content));
    next = outcome.data.next;
  }
  return { kind: 'answered', data: { name: 'vatchecks.csv', content: new Blob(parts), next } };
};

async function withoutHeading(content: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  return content.slice(bytes.indexOf(0x0a) + 1);
}
