import type { ComponentChildren, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { Notice } from './notice.tsx';

/** Says that a view broke, instead of an empty page: an answer may have another shape than expected. */
export function Boundary({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [error] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <Notice kind="problem" title="This view could not be shown">
      <p>
        The page and the service do not fit together; one of them was probably updated. Load the
        page again, and tell whoever operates the service if that does not help.
      </p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </Notice>
  );
}
