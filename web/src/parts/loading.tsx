import type { JSX } from 'preact';

/** Said to everybody, shown only when it takes a while. */
export function Loading(): JSX.Element {
  return (
    <p class="loading" role="status">
      Loading …
    </p>
  );
}
