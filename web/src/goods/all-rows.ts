import type { Api } from '../session/api.ts';
import type { RequestOutcome } from '../session/failure.ts';
import type { CategoryRow, CategoryRows } from '../wire.ts';

/** The largest number of rows in one answer (rule G3). */
const rowsMax = 500;

/** Requests all rows of a question. Mostly one answer has them all; later pages are of the same date. */
export async function fetchAllRows(
  api: Api,
  path: string,
  signal: AbortSignal,
): Promise<RequestOutcome<CategoryRows>> {
  const rows: CategoryRow[] = [];
  let cursor = '';
  for (;;) {
    const page = `${path}&limit=${rowsMax}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const outcome = await api.get<CategoryRows>(page, signal);
    if (outcome.kind === 'failed') return outcome;
    rows.push(...outcome.data.rows);
    const { nextCursor } = outcome.data;
    if (nextCursor === null) {
      return { kind: 'answered', data: { ...outcome.data, rows, count: rows.length } };
    }
    cursor = nextCursor;
  }
}
