import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Boundary } from './parts/boundary.tsx';
import { later } from './parts/later.tsx';
import { RatesView } from './rates/rates-view.tsx';
import { useRoute, type View } from './route.ts';
import { Gate } from './session/gate.tsx';
import { ApiContext, useSession } from './session/session.ts';
import { Shell, viewNames } from './shell.tsx';

type ViewComponent = ComponentType<{ readonly params: URLSearchParams }>;

const components: Readonly<Record<View, ViewComponent>> = {
  rates: RatesView,
  changes: later(async () => (await import('./changes/changes-view.tsx')).ChangesView),
  fx: later(async () => (await import('./fx/fx-view.tsx')).FxView),
  check: later(async () => (await import('./check/check-view.tsx')).CheckView),
  status: later(async () => (await import('./status/status-view.tsx')).StatusView),
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
          <Gate isRefused={session.isRefused} onEnter={session.enter} />
        ) : (
          <main class="view" key={view}>
            <Boundary>
              <View params={params} />
            </Boundary>
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
