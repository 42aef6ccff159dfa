import { useEffect, useRef } from 'preact/hooks';
import type { Api } from '../session/api.ts';
import type { RequestOutcome } from '../session/failure.ts';
import { type Load, useLoad } from '../session/load.ts';
import { usePoll } from '../session/poll.ts';
import type { Batch, CheckPage, StoredCheck } from '../wire.ts';

/** A list is loaded again at most so many times while its checks end. */
const loadsMax = 50;

const isUnfinished = ({ pending }: Batch): boolean => pending > 0;

/** The path of the checks of a list of numbers. */
export function batchPathOf(id: string): string {
  return `/vatchecks?batchId=${encodeURIComponent(id)}&limit=500`;
}

/** The checks of a list of numbers, in the order in which they were written. They are loaded again as they end. */
export function useBatch(id: string): Load<readonly StoredCheck[]> {
  const progress = usePoll<Batch>(`/vatchecks/batch/${encodeURIComponent(id)}`, isUnfinished);
  const list = useLoad<readonly StoredCheck[]>(batchPathOf(id), fetchInOrder);
  const { data: batch } = progress;
  const { data: checks, reload } = list;
  const judged = useRef<Batch | undefined>(undefined);
  useEffect(() => {
    if (batch === undefined || checks === undefined) return;
    const steps = (pending: number): number =>
      Math.ceil(pending / Math.max(1, checks.length / loadsMax));
    const pending = checks.filter(({ status }) => status === 'pending');
    // Of a check that was not attempted yet the reason is not known. Without progress the answers become rare.
    const isUnexplained =
      judged.current !== batch &&
      pending.length === batch.pending &&
      pending.some(({ attempts }) => attempts === 0);
    judged.current = batch;
    if (steps(pending.length) > steps(batch.pending) || isUnexplained) reload();
  }, [batch, checks, reload]);
  return {
    ...list,
    failure: progress.failure ?? list.failure,
    reload: () => {
      progress.reload();
      reload();
    },
  };
}

/** Requests all pages of a list of checks. They have the newest check first: that of the last number. */
async function fetchInOrder(
  api: Api,
  path: string,
  signal: AbortSignal,
): Promise<RequestOutcome<readonly StoredCheck[]>> {
  const checks: StoredCheck[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: RequestOutcome<CheckPage> = await api.get(
      cursor === '' ? path : `${path}&cursor=${cursor}`,
      signal,
    );
    if (page.kind === 'failed') return page;
    checks.push(...page.data.checks);
    cursor = page.data.nextCursor;
  }
  return { kind: 'answered', data: checks.toReversed() };
}
