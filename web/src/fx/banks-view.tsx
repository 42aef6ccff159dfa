import type { JSX } from 'preact';
import type { BankName } from '../../../src/platform/publication/data-set-kinds.ts';
import { DataTools } from '../parts/data-tools.tsx';
import { Failed, isNotFound } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { NotStored } from '../parts/not-stored.tsx';
import { Notice } from '../parts/notice.tsx';
import { StoredDate } from '../parts/stored-date.tsx';
import { Switch } from '../parts/switch.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { changeParams, routeTo } from '../route.ts';
import { useLoad } from '../session/load.ts';
import { useStatus } from '../session/service-status.tsx';
import { FreshnessNotice } from '../status/freshness-notice.tsx';
import type { BankSnapshot, DateList } from '../wire.ts';
import { dateInWords, weekdayOf } from '../words.ts';
import { BankRates } from './bank-rates.tsx';
import { bankWords, listBanks } from './banks.ts';
import '../styles/fx.css';

/** The rates of a national bank for one day, as it published them (rule N2). */
export function BanksView({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const { data: status, failure, isLoading, reload } = useStatus();
  const banks = listBanks(status);
  const bank = banks.find((one) => one === params.get('bank')) ?? banks[0];
  return (
    <>
      <ViewHead title="National banks">
        The exchange rates of a national bank, as the bank published them. For an invoice, see{' '}
        <a href={routeTo('law', { for: 'vat' })}>which day counts by law</a>.
      </ViewHead>
      {bank !== undefined ? (
        <BankDay bank={bank} banks={banks} date={params.get('date') ?? undefined} />
      ) : failure !== undefined ? (
        <Failed failure={failure} onRetry={reload} />
      ) : isLoading ? (
        <Loading />
      ) : (
        <Notice kind="hint" title="This service has no rates of national banks">
          <p>
            It has the <a href={routeTo('fx')}>rates of the European Central Bank</a>.
          </p>
        </Notice>
      )}
    </>
  );
}

function BankDay(props: {
  readonly bank: BankName;
  readonly banks: readonly BankName[];
  /** Undefined for the newest day. */
  readonly date: string | undefined;
}): JSX.Element {
  const { bank, banks, date } = props;
  const stored = useLoad<DateList>(`/fx/${bank}/dates`);
  const path = date === undefined ? `/fx/${bank}` : `/fx/${bank}/${encodeURIComponent(date)}`;
  const { latest, failure, isLoading, reload } = useLoad<BankSnapshot>(path);
  const dates = stored.data?.dates ?? [];
  const choose = (next: string): void =>
    changeParams({ date: next === dates.at(-1) ? undefined : next });
  return (
    <>
      {date === undefined ? <FreshnessNotice of={bank} /> : null}
      <div class="controls">
        {banks.length === 1 ? null : (
          <Switch
            label="Bank"
            choices={banks.map((one) => ({
              name: bankWords[one].short,
              isChosen: one === bank,
              onChoose: () => changeParams({ bank: one }),
            }))}
          />
        )}
        {dates.length === 0 ? null : (
          <StoredDate
            label="Date"
            dates={dates}
            value={date ?? dates.at(-1) ?? ''}
            onChoose={choose}
          />
        )}
      </div>
      {failure === undefined ? null : date !== undefined && isNotFound(failure) ? (
        <NotStored
          title={`The ${bankWords[bank].name} published no rates on`}
          date={date}
          dates={dates}
          onChoose={choose}
        />
      ) : (
        <Failed failure={failure} onRetry={reload} />
      )}
      {latest === undefined ? (
        isLoading && <Loading />
      ) : (
        <div aria-busy={isLoading} class={isLoading ? 'law-answer busy' : 'law-answer'}>
          <h2>
            {bankWords[latest.bank].name}, {weekdayOf(latest.date)}, {dateInWords(latest.date)}
          </h2>
          {latest.table === null ? null : <p>Table {latest.table}</p>}
          <BankRates of={latest} />
        </div>
      )}
      <DataTools csv={latest === undefined ? undefined : path} paths={[path]} />
    </>
  );
}
