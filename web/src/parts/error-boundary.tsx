import type { ComponentChildren, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { Notice } from './notice.tsx';

/** Shows a message instead of an empty page if a view throws, for example because an answer has an unknown shape. */
export function ErrorBoundary({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [error] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <Notice kind="problem" title="This view could not be shown">
      <p>
        The page and the service probably have different versions. Load the page again. If that does
        not help, report it to the operator of the service.
      </p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </Notice>
  );
}
