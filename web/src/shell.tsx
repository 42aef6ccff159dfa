import type { ComponentChildren, JSX } from 'preact';
import type { BankName } from '../../src/platform/publication/data-set-kinds.ts';
import { bankWords, listBanks } from './fx/banks.ts';
import { type Part, partOf, parts, routeTo, type View } from './route.ts';
import { serviceAddress } from './service-address.ts';
import { KeyUsage } from './session/key-usage.tsx';
import { useStatus } from './session/service-status.tsx';
import { useTheme } from './theme.ts';
import { listInWords } from './words.ts';
import { NewsCount } from './watches/news.tsx';

const partNames: Readonly<Record<Part, string>> = {
  rates: 'Rates',
  fx: 'Exchange rates',
  numbers: 'VAT numbers',
  status: 'Status',
};

export const viewNames: Readonly<Record<View, string>> = {
  rates: 'All countries',
  country: 'One country',
  goods: 'Goods',
  changes: 'Changes',
  fx: 'ECB rates',
  law: 'Which rate for my return?',
  banks: 'Banks',
  check: 'Check',
  checks: 'Find a check',
  watches: 'Watches',
  status: 'Status',
};

/** The frame of all views: header with navigation, and footer. */
export function Shell(props: {
  /** Undefined while the form for the API key is shown. */
  readonly view: View | undefined;
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { view, onLeave, children } = props;
  return (
    <>
      {view === undefined ? null : (
        <a
          class="skip"
          href="#view-title"
          onClick={(event) => {
            // The part of the address after # is the route, so it must not change.
            event.preventDefault();
            document.getElementById('view-title')?.focus();
          }}
        >
          Skip to the content
        </a>
      )}
      <header class="top">
        {view === undefined ? null : <DemoNote />}
        <div class="top-inner">
          <a class="brand" href={routeTo('rates')}>
            <Logo />
            vatfx
          </a>
          {view === undefined ? <span class="gap" /> : <Parts view={view} />}
          <div class="top-tools">
            {view === undefined ? null : <KeyUsage onLeave={onLeave} />}
            <ThemeButton />
          </div>
        </div>
        {view === undefined ? null : <Views view={view} />}
      </header>
      {children}
      <footer class="bottom">
        {view === undefined ? <Sources banks={[]} /> : <SourcesOfService />}
        <p>
          <a href={`${serviceAddress}/docs`}>API reference</a>
        </p>
      </footer>
    </>
  );
}

/** Names the sources; the banks are those whose rates the service has, besides the European Central Bank. */
function Sources({ banks }: { readonly banks: readonly BankName[] }): JSX.Element {
  const names = ['ecb' as const, ...banks].map((bank) => `the ${bankWords[bank].name}`);
  return (
    <p>
      Sources: VAT rates from TEDB, European Commission; exchange rates from {listInWords(names)};
      VAT numbers from VIES, European Commission.
    </p>
  );
}

function SourcesOfService(): JSX.Element {
  return <Sources banks={listBanks(useStatus().data)} />;
}

/** Says in each view of the demo that its data is simulated. */
function DemoNote(): JSX.Element | null {
  if (useStatus().data?.demo !== true) return null;
  return (
    <div class="demo-note">
      <p>
        <strong>Demo: do not use this data.</strong> It is partly invented, and no real registry is
        queried.
      </p>
    </div>
  );
}

function Parts({ view }: { readonly view: View }): JSX.Element {
  const current = partOf(view);
  const names = Object.entries(partNames) as readonly [Part, string][];
  return (
    <nav class="parts" aria-label="Parts">
      <ul>
        {names.map(([part, name]) => (
          <li key={part}>
            <a
              href={routeTo(parts[part][0])}
              aria-current={
                part === current ? (view === parts[part][0] ? 'page' : 'true') : undefined
              }
            >
              {name}
              {part === 'numbers' && current !== part ? <NewsCount /> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The views of the part that is shown; nothing if it has only one. That of national banks needs the rates of one. */
function Views({ view }: { readonly view: View }): JSX.Element | null {
  const part = partOf(view);
  const hasBanks = listBanks(useStatus().data).length > 0;
  if (parts[part].length === 1) return null;
  return (
    <nav class="views" aria-label="Views">
      <ul>
        {parts[part]
          .filter((name) => name !== 'banks' || hasBanks)
          .map((name) => (
            <li key={name}>
              <a href={routeTo(name)} aria-current={name === view ? 'page' : undefined}>
                {viewNames[name]}
                {name === 'watches' ? <NewsCount /> : null}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function ThemeButton(): JSX.Element {
  const [theme, change] = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      class="tool"
      onClick={change}
      aria-label={`Switch to the ${other} theme`}
      title={`Switch to the ${other} theme`}
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
      </svg>
    </button>
  );
}

function Logo(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="7" class="logo-ground" />
      <g fill="none" stroke="#fff" stroke-width="2.6">
        <circle cx="11" cy="11" r="3.6" />
        <circle cx="21" cy="21" r="3.6" />
        <path d="M23 8 9 24" stroke-linecap="round" />
      </g>
    </svg>
  );
}
