import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './loading.tsx';
import { Notice } from './notice.tsx';

type Loaded<Props> = { readonly component: ComponentType<Props> } | 'failed' | undefined;

/** Makes a component whose code is requested from the service when it is first shown. */
export function lazyComponent<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: Loaded<Props>;
  return function LazyComponent(props: Props): JSX.Element {
    const [shown, setShown] = useState<Loaded<Props>>(() => loaded);
    useEffect(() => {
      if (shown !== undefined) return;
      fetchComponent().then(
        (component) => {
          loaded = { component };
          setShown(loaded);
        },
        () => setShown('failed'),
      );
    }, [shown]);
    if (shown === undefined) return <Loading />;
    if (shown === 'failed') return <NotLoaded />;
    return <shown.component {...props} />;
  };
}

/** Shown if the code cannot be loaded, for example because an update of the service has removed the old files. */
function NotLoaded(): JSX.Element {
  return (
    <Notice kind="problem" title="This part of the page could not be loaded">
      <p>The service was updated after you opened the page, or it does not answer.</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </Notice>
  );
}
