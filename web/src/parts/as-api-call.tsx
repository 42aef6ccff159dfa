import type { JSX } from 'preact';
import { Curl } from './curl.tsx';

/** The requests of the view as curl commands, which the visitor can unfold. */
export function AsApiCall({ paths }: { readonly paths: readonly string[] }): JSX.Element {
  return (
    <details class="api-call">
      <summary>As API call</summary>
      <p class="hint">
        <code>$KEY</code> is your API key.
      </p>
      {paths.map((path) => (
        <Curl key={path} path={path} />
      ))}
    </details>
  );
}
