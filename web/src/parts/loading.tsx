import type { JSX } from 'preact';

/** Read out immediately by screen readers, but visible only after a while. */
export function Loading(): JSX.Element {
  return (
    <p class="loading" role="status">
      Loading …
    </p>
  );
}
