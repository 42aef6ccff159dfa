import type { JSX } from 'preact';

/** A message that screen readers read out immediately, and that becomes visible only after a while. */
export function Loading(): JSX.Element {
  return (
    <p class="loading" role="status">
      Loading …
    </p>
  );
}
