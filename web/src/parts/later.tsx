import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './loading.tsx';
import { Notice } from './notice.tsx';

type Arrived<Props> = { readonly component: ComponentType<Props> } | 'failed' | undefined;

/** Makes a component of one whose code is fetched when it is first shown. */
export function later<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let arrived: Arrived<Props>;
  return function Later(props: Props): JSX.Element {
    const [shown, setShown] = useState<Arrived<Props>>(() => arrived);
    useEffect(() => {
      if (shown !== undefined) return;
      fetchComponent().then(
        (component) => {
          arrived = { component };
          setShown(arrived);
        },
        () => setShown('failed'),
      );
    }, [shown]);
    if (shown === undefined) return <Loading />;
    if (shown === 'failed') return <NotFetched />;
    return <shown.component {...props} />;
  };
}

/** After an update of the service the parts of the old page are gone. */
function NotFetched(): JSX.Element {
  return (
    <Notice kind="problem" title="This part of the page could not be loaded">
      <p>The service was updated since you opened the page, or it does not answer.</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </Notice>
  );
}
