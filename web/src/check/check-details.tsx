import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AsApiCall } from '../parts/as-api-call.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { useShown } from '../parts/use-shown.ts';
import { changeParams } from '../route.ts';
import type { Failure } from '../session/failure.ts';
import { usePoll } from '../session/poll.ts';
import { useApi } from '../session/session.ts';
import type { StoredCheck } from '../wire.ts';
import { CheckFacts } from './check-facts.tsx';
import { CheckProof } from './check-proof.tsx';
import { WatchNumber } from '../watches/watch-number.tsx';
import { CheckAgain } from './check-again.tsx';
import { explainCheck } from './check-words.ts';
import { brusselsMoment, sentenceOfCheck, titleOfCheck } from './proof-words.ts';

const isPending = ({ status }: StoredCheck): boolean => status === 'pending';

/** One stored check with its proof, which fits on a page of paper (rule K17). */
export function CheckDetails(props: {
  readonly id: string;
  /** The list that the check was opened from. */
  readonly back: { readonly href: string; readonly label: string };
}): JSX.Element {
  const { id, back } = props;
  const path = `/vatchecks/${encodeURIComponent(id)}`;
  const { data, failure, isLoading, reload } = usePoll<StoredCheck>(path, isPending);
  return (
    <section aria-label="Check" class="proof">
      <p class="back">
        <a href={back.href}>{back.label}</a>
      </p>
      {data === undefined ? isLoading && <Loading /> : <Check check={data} path={path} />}
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
    </section>
  );
}

function Check(props: { readonly check: StoredCheck; readonly path: string }): JSX.Element {
  const { check, path } = props;
  const { kind, title, text } = explainCheck(check);
  const sentence = sentenceOfCheck(check);
  const hasEnded = check.status !== 'pending';
  return (
    <>
      <h2>{titleOfCheck(check)}</h2>
      {sentence === undefined ? null : <p>{sentence}</p>}
      <div class="verdict">
        <Notice kind={kind} title={title}>
          <p>{text}</p>
          <CheckFacts check={check} />
        </Notice>
      </div>
      <div class="check-tools">
        {hasEnded ? (
          <button type="button" onClick={() => print()}>
            Print the proof
          </button>
        ) : null}
        {check.queriedNumber === null ? null : (
          <>
            <CheckAgain check={check} />
            <WatchNumber check={check} />
          </>
        )}
        <DeleteCheck path={path} />
      </div>
      {hasEnded ? <CheckProof path={path} id={check.id} /> : null}
      <PrintedOn />
      <AsApiCall paths={[path]} />
    </>
  );
}

/** The moment of printing, on paper only. */
function PrintedOn(): JSX.Element {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The text is set without a render, which would come after the printer has the page.
    const date = (): void => {
      if (line.current !== null)
        line.current.textContent = `Printed on ${brusselsMoment(new Date())}.`;
    };
    date();
    addEventListener('beforeprint', date);
    return () => removeEventListener('beforeprint', date);
  }, []);
  return <p class="printed-on" ref={line} />;
}

function DeleteCheck({ path }: { readonly path: string }): JSX.Element {
  const api = useApi();
  const isShown = useShown();
  const [failure, setFailure] = useState<Failure>();
  const remove = async (): Promise<void> => {
    const outcome = await api.change({ method: 'DELETE', path });
    if (outcome.kind === 'failed') setFailure(outcome.failure);
    else if (isShown.current) changeParams({ id: undefined });
  };
  return (
    <>
      <ConfirmButton
        label="Delete the check"
        question="Delete this check and its evidence? They cannot be restored."
        confirmation="Delete"
        onConfirm={() => void remove()}
      />
      {failure === undefined ? null : <Failed failure={failure} onRetry={() => void remove()} />}
    </>
  );
}
