import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { lazyComponent } from './parts/lazy-component.tsx';
import { RatesView } from './rates/rates-view.tsx';
import { useRoute, type View } from './route.ts';
import { KeyForm } from './session/key-form.tsx';
import { StatusProvider } from './session/service-status.tsx';
import { ApiContext, useSession } from './session/session.ts';
import { Shell, viewNames } from './shell.tsx';
import { NewsProvider } from './watches/news.tsx';

type ViewComponent = ComponentType<{ readonly params: URLSearchParams }>;

const components: Readonly<Record<View, ViewComponent>> = {
  rates: RatesView,
  changes: lazyComponent(async () => (await import('./changes/changes-view.tsx')).ChangesView),
  fx: lazyComponent(async () => (await import('./fx/fx-view.tsx')).FxView),
  law: lazyComponent(async () => (await import('./law/law-view.tsx')).LawView),
  banks: lazyComponent(async () => (await import('./fx/banks-view.tsx')).BanksView),
  goods: lazyComponent(async () => (await import('./goods/goods-view.tsx')).GoodsView),
  country: lazyComponent(async () => (await import('./country/country-view.tsx')).CountryView),
  check: lazyComponent(async () => (await import('./check/check-view.tsx')).CheckView),
  checks: lazyComponent(async () => (await import('./check/checks-view.tsx')).ChecksView),
  watches: lazyComponent(async () => (await import('./watches/watches-view.tsx')).WatchesView),
  status: lazyComponent(async () => (await import('./status/status-view.tsx')).StatusView),
};

/** The page: the form for the API key, and with a key the view that the address names. */
export function App(): JSX.Element {
  const session = useSession();
  const { view, params } = useRoute();
  useTitle(session.api === undefined ? undefined : view);
  const View = components[view];
  if (session.api === undefined) {
    return (
      <Shell view={undefined} onLeave={session.leave}>
        <KeyForm isRefused={session.isRefused} onEnter={session.enter} />
      </Shell>
    );
  }
  return (
    <ApiContext.Provider value={session.api}>
      <StatusProvider view={view}>
        <NewsProvider view={view}>
          <Shell view={view} onLeave={session.leave}>
            <main class="view" key={view}>
              <ErrorBoundary>
                <View params={params} />
              </ErrorBoundary>
            </main>
          </Shell>
        </NewsProvider>
      </StatusProvider>
    </ApiContext.Provider>
  );
}

function useTitle(view: View | undefined): void {
  useEffect(() => {
    document.title = view === undefined ? 'vatfx' : `${viewNames[view]} · vatfx`;
  }, [view]);
}
