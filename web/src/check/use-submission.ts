import { useRef, useState } from 'preact/hooks';
import { useShown } from '../parts/use-shown.ts';
import { changeParams } from '../route.ts';
import type { Change } from '../session/api.ts';
import type { Failure } from '../session/failure.ts';
import { useApi } from '../session/session.ts';
import type { NewBatch, StoredCheck } from '../wire.ts';

export type Submission = {
  /** Undefined unless the last request failed. */
  readonly failure: Failure | undefined;
  readonly isSending: boolean;
  /**
   * Sends a request, and shows the check or the batch that it creates, unless the visitor has left the form. Undefined if it
   * failed.
   */
  readonly send: (
    request: Pick<Change, 'path' | 'body'>,
  ) => Promise<StoredCheck | NewBatch | undefined>;
};

/** Sends checks to the service. A repeated request has the same idempotency key, so that it creates nothing twice. */
export function useSubmission(): Submission {
  const api = useApi();
  const isShown = useShown();
  const [failure, setFailure] = useState<Failure>();
  const [isSending, setSending] = useState(false);
  const sent = useRef({ text: '', key: '' });
  const send: Submission['send'] = async ({ path, body }) => {
    const text = body?.text ?? '';
    if (sent.current.text !== text) sent.current = { text, key: randomKey() };
    setSending(true);
    setFailure(undefined);
    const outcome = await api.change<StoredCheck | NewBatch>({
      method: 'POST',
      path,
      ...(body === undefined ? {} : { body }),
      idempotencyKey: sent.current.key,
    });
    setSending(false);
    if (outcome.kind === 'failed') {
      setFailure(outcome.failure);
      return undefined;
    }
    // The same number can be checked again.
    sent.current = { text: '', key: '' };
    const { data } = outcome;
    if (!isShown.current) return data;
    const shown = 'id' in data ? { id: data.id } : { batch: data.batchId };
    changeParams({ id: undefined, batch: undefined, result: undefined, ...shown });
    return data;
  };
  return { failure, isSending, send };
}

/** `crypto.randomUUID` is missing on pages without HTTPS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
