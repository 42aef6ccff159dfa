import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Explanation, explainFailure } from '../parts/failure-words.ts';
import { Notice } from '../parts/notice.tsx';
import type { Usage } from '../wire.ts';
import { Api } from './api.ts';
import type { Failure } from './failure.ts';
import { findKeyFault } from './key-fault.ts';

const keyRefused: Explanation = {
  title: 'This key does not work',
  advice:
    'The service refuses this key: it belongs to another service, has expired, or was revoked. Request a new key from the operator of the service.',
};

const keyNoLongerWorks: Explanation = {
  title: 'Your key no longer works',
  advice:
    'The key has expired, or it was revoked or rotated. Request a new key from the operator of the service and enter it here. You will return to the same view.',
};

/** The form for the API key. It tries the key, and accepts it only if it works. */
export function KeyForm(props: {
  /** Whether the service refused a key that worked before. */
  readonly isRefused: boolean;
  readonly onEnter: (key: string) => void;
}): JSX.Element {
  const { isRefused, onEnter } = props;
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState(isRefused ? keyNoLongerWorks : undefined);
  const [isTrying, setTrying] = useState(false);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isTrying) return;
    const key = input.current?.value.trim() ?? '';
    setProblem(undefined);
    setTrying(true);
    const found = await findProblem(key);
    setTrying(false);
    if (found === undefined) return onEnter(key);
    setProblem(found);
    input.current?.focus();
  };

  return (
    <main class="key-form">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <h1>Your API key</h1>
        <p class="lead">The console gets its data from the API, so it needs an API key.</p>
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
          Only this tab has the key, until you close the tab. The key is not in the address, not in
          other tabs, and not on disk.
        </p>
        {problem === undefined ? null : (
          <Notice kind="problem" title={problem.title}>
            <p>{problem.advice}</p>
          </Notice>
        )}
        <button type="submit" class="primary" aria-disabled={isTrying}>
          {isTrying ? 'Checking the key …' : 'Open the console'}
        </button>
        <details>
          <summary>Where do I get a key?</summary>
          <p>
            The operator of the service creates it with this command, which prints the key once:
          </p>
          <pre tabIndex={0}>
            <code>vatfx keys create --name "my name"</code>
          </pre>
          <p>The demo prints a link that opens the console with its key.</p>
        </details>
      </form>
    </main>
  );
}

/** Tries a key with a request that is not charged; undefined if the key works. */
async function findProblem(key: string): Promise<Explanation | undefined> {
  const fault = findKeyFault(key);
  if (fault !== undefined) return { title: 'This is not a complete key', advice: fault };
  const answered = await new Api(key, () => {}).get<Usage>('/usage');
  return answered.kind === 'answered' ? undefined : explainKeyFailure(answered.failure);
}

function explainKeyFailure(failure: Failure): Explanation {
  if (failure.kind !== 'refused') return explainFailure(failure);
  if (failure.status === 401) return keyRefused;
  if (failure.status === 429) {
    const { advice } = explainFailure(failure);
    return { title: 'Too many wrong keys from your address', advice };
  }
  return explainFailure(failure);
}
