import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { lazyComponent } from './parts/lazy-component.tsx';
import { RatesView } from './rates/rates-view.tsx';
import { useRoute, type View } from './route.ts';
import { KeyForm } from './session/key-form.tsx';
import { ApiContext, useSession } from './session/session.ts';
import { Shell, viewNames } from './shell.tsx';

type ViewComponent = ComponentType<{ readonly params: URLSearchParams }>;

const components: Readonly<Record<View, ViewComponent>> = {
  rates: RatesView,
  changes: lazyComponent(async () => (await import('./changes/changes-view.tsx')).ChangesView),
  fx: lazyComponent(async () => (await import('./fx/fx-view.tsx')).FxView),
  check: lazyComponent(async () => (await import('./check/check-view.tsx')).CheckView),
  status: lazyComponent(async () => (await import('./status/status-view.tsx')).StatusView),
};

/** The page: the form for the API key, and with a key the view that the address names. */
export function App(): JSX.Element {
  const session = useSession();
  const { view, params } = useRoute();
  const shown = session.api === undefined ? undefined : view;
  useTitle(shown);
  const View = components[view];
  return (
    <ApiContext.Provider value={session.api}>
      <Shell view={shown} onLeave={session.leave}>
        {session.api === undefined ? (
          <KeyForm isRefused={session.isRefused} onEnter={session.enter} />
        ) : (
          <main class="view" key={view}>
            <ErrorBoundary>
              <View params={params} />
            </ErrorBoundary>
          </main>
        )}
      </Shell>
    </ApiContext.Provider>
  );
}

function useTitle(view: View | undefined): void {
  useEffect(() => {
    document.title = view === undefined ? 'vatfx' : `${viewNames[view]} · vatfx`;
  }, [view]);
}
