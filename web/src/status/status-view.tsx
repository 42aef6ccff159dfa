import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { bankNames } from '../../../src/platform/publication/data-set-kinds.ts';
import { checkable } from '../countries.ts';
import { bankWords } from '../fx/banks.ts';
import { AsApiCall } from '../parts/as-api-call.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { ViewHead } from '../parts/view-head.tsx';
import { useStatus } from '../session/service-status.tsx';
import type { RegistryStatus, ServiceStatus } from '../wire.ts';
import { countInWords, momentInWords } from '../words.ts';
import { DataSet } from './data-set.tsx';
import { blockInWords, healthOf, workInWords } from './status-words.ts';
import { ConditionMark } from './condition-mark.tsx';

/** Two requests a minute while the page is visible. */
const refreshMs = 30_000;

/** Whether the data is complete, and the state of the registries. */
export function StatusView(): JSX.Element {
  const { data, failure, isLoading, reload } = useStatus();
  useEffect(() => {
    const refreshing = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, refreshMs);
    return () => clearInterval(refreshing);
  }, [reload]);
  return (
    <>
      <ViewHead title="Status">
        Whether the rates are complete, and whether the registries of VAT numbers answer.
      </ViewHead>
      {data === undefined ? null : (
        <p class="hint">As of {momentInWords(data.now)}. Updated every 30 seconds.</p>
      )}
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
      {data === undefined ? isLoading && <Loading /> : <StatusCards status={data} />}
      <AsApiCall paths={['/status']} />
    </>
  );
}

function StatusCards({ status }: { readonly status: ServiceStatus }): JSX.Element {
  const { now, dataSets, database } = status;
  return (
    <>
      {database.answering ? null : (
        <Notice kind="problem" title="The database does not answer">
          <p>
            The service still answers requests for published data from memory. All other requests
            fail until the database is back.
          </p>
        </Notice>
      )}
      <div class="cards">
        <DataSet name="VAT rates" dataSet={dataSets.rates} now={now}>
          <UnknownTerritories names={status.unknownTerritories ?? []} />
        </DataSet>
        <DataSet name={`${bankWords.ecb.short} rates`} dataSet={dataSets.fx} now={now} />
        {bankNames.map((bank) => {
          const dataSet = dataSets[bank];
          const name = `${bankWords[bank].short} rates`;
          return dataSet === undefined ? null : (
            <DataSet key={bank} name={name} dataSet={dataSet} now={now} />
          );
        })}
      </div>
      <MemberStates status={status} />
    </>
  );
}

/** Territories of the newest VAT rates that the service does not know. A service of an earlier version does not report them. */
function UnknownTerritories({ names }: { readonly names: readonly string[] }): JSX.Element | null {
  if (names.length === 0) return null;
  return (
    <p class="waiting">
      <strong>
        {countInWords(names.length, 'unknown territory', 'unknown territories')}: {names.join(', ')}
        .
      </strong>{' '}
      The source names places that this version of the service does not know. Their rates are kept,
      and are never national. An update of the service can add them.
    </p>
  );
}

/** Whether VIES blocks the service, and the work that is left. */
function Registry({ registry }: { readonly registry: RegistryStatus }): JSX.Element {
  const blocked = blockInWords(registry);
  return (
    <>
      {blocked === undefined ? null : (
        <p class="waiting">
          <strong>{blocked}</strong> Numbers whose answer is known are still answered; checks wait,
          and are made when VIES answers again. If it lasts, an operator has to contact VIES.
        </p>
      )}
      {workInWords(registry).map((sentence) => (
        <p class="hint" key={sentence}>
          {sentence}
        </p>
      ))}
    </>
  );
}

function MemberStates({ status }: { readonly status: ServiceStatus }): JSX.Element {
  const { memberStates, now } = status;
  return (
    <section aria-labelledby="member-states-title">
      <h2 id="member-states-title">Registries of VAT numbers</h2>
      <p class="hint">
        The latest VAT check in each registry since the service started. The service never queries a
        registry only to test it.
      </p>
      {status.registry === undefined ? null : <Registry registry={status.registry} />}
      <ul class="registries">
        {Object.entries(checkable).map(([code, name]) => (
          <li key={code}>
            <span>
              <span class="code">{code}</span> {name}
            </span>
            <ConditionMark
              condition={healthOf(
                memberStates[code] ?? (code === 'GR' ? memberStates['EL'] : undefined),
                now,
              )}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
