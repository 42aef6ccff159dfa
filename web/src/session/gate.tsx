import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { explainFailure } from '../parts/failure-words.ts';
import { Notice } from '../parts/notice.tsx';
import type { Usage } from '../wire.ts';
import { Api } from './api.ts';
import type { Failure } from './failure.ts';
import { findKeyFault } from './key-form.ts';

type Problem = { readonly title: string; readonly advice: string };

const refused: Problem = {
  title: 'This key does not work',
  advice:
    'It is complete, but the service does not let it in: it was never one of this service, has expired, or was revoked. Ask whoever operates the service for another one.',
};

const refusedLater: Problem = {
  title: 'Your key stopped working',
  advice:
    'It has expired, or it was revoked or rotated. Ask whoever operates the service for a new one and give it here; you will be where you were.',
};

/** Asks for a key and lets through with one that works. */
export function Gate(props: {
  /** The key that worked until now does so no longer. */
  readonly isRefused: boolean;
  readonly onEnter: (key: string) => void;
}): JSX.Element {
  const { isRefused, onEnter } = props;
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<Problem | undefined>(isRefused ? refusedLater : undefined);
  const [isAsking, setAsking] = useState(false);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isAsking) return;
    const key = input.current?.value.trim() ?? '';
    const fault = findKeyFault(key);
    setProblem(undefined);
    let next =
      fault === undefined ? undefined : { title: 'That is not a complete key', advice: fault };
    if (fault === undefined) {
      setAsking(true);
      next = await tryKey(key);
      setAsking(false);
    }
    if (next === undefined) return onEnter(key);
    setProblem(next);
    input.current?.focus();
  };

  return (
    <main class="gate">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <h1>Your API key</h1>
        <p class="lead">
          The console shows what the API answers, so it needs a key like every other caller.
        </p>
        <label for="key">API key</label>
        <input
          ref={input}
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          autofocus
          placeholder="vfx_…"
          aria-invalid={problem !== undefined}
          aria-describedby="key-hint"
        />
        <p id="key-hint" class="hint">
          It stays in this tab until you close it: not in the address, not in other tabs, not on
          disk.
        </p>
        {problem === undefined ? null : (
          <Notice kind="problem" title={problem.title}>
            <p>{problem.advice}</p>
          </Notice>
        )}
        <button type="submit" class="primary" aria-disabled={isAsking}>
          {isAsking ? 'Asking …' : 'Open the console'}
        </button>
        <details>
          <summary>Where do I get a key?</summary>
          <p>Whoever operates the service makes one. It is shown once, when it is made:</p>
          <pre tabIndex={0}>
            <code>vatfx keys create --name "my name"</code>
          </pre>
          <p>The demo prints one when it starts.</p>
        </details>
      </form>
    </main>
  );
}

/** Asks with a key for its own use, which is free; undefined when it works. */
async function tryKey(key: string): Promise<Problem | undefined> {
  const answered = await new Api(key, () => {}).get<Usage>('/usage');
  return answered.kind === 'answered' ? undefined : explain(answered.failure);
}

function explain(failure: Failure): Problem {
  if (failure.kind !== 'refused') return explainFailure(failure);
  if (failure.status === 401) return refused;
  if (failure.status === 429) {
    const { advice } = explainFailure(failure);
    return { title: 'Too many keys were tried from your address', advice };
  }
  return explainFailure(failure);
}
