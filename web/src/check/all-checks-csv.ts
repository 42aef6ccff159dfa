import { csvPathOf, type FetchCsv } from '../parts/download-csv.tsx';
import { withinRateLimit } from '../session/rate-limit.ts';

/** The largest number of checks in one answer (rule K11). */
const rowsMax = 500;

/** Requests all checks of a list as one CSV file: as many answers as it needs, without the headings of later ones. */
export const fetchAllChecks: FetchCsv = async (api, path) => {
  const [base = '', query = ''] = csvPathOf(path).split('?');
  const params = new URLSearchParams(query);
  params.set('limit', String(rowsMax));
  params.delete('cursor');
  const parts: Blob[] = [];
  let next: string | undefined = `${base}?${params.toString()}`;
  while (next !== undefined) {
    const page: string = next;
    const outcome = await withinRateLimit(async () => api.download(page));
    if (outcome.kind === 'failed') return outcome;
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
