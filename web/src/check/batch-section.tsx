import type { JSX } from 'preact';
import { DataTools } from '../parts/data-tools.tsx';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { changeParams, routeTo } from '../route.ts';
import type { StoredCheck } from '../wire.ts';
import { countInWords, datedMoment } from '../words.ts';
import { describeEncoding, hasKeptColumns, printAnswers } from './answers-file.ts';
import { CheckRows } from './check-rows.tsx';
import { countResults, resultOf, summariseChecks } from './check-results.ts';
import { batchPathOf, useBatch } from './use-batch.ts';

/** The checks of a list of numbers, in the order of the list. Results appear as they arrive. */
export function BatchSection(props: {
  readonly id: string;
  readonly params: URLSearchParams;
}): JSX.Element {
  const { id, params } = props;
  const { data, failure, isLoading, reload } = useBatch(id);
  return (
    <section aria-labelledby="batch-title">
      {data === undefined ? (
        isLoading && <Loading />
      ) : (
        <List id={id} checks={data} address={Object.fromEntries(params)} />
      )}
      {failure === undefined ? null : <Failed failure={failure} onRetry={reload} />}
    </section>
  );
}

function List(props: {
  readonly id: string;
  readonly checks: readonly StoredCheck[];
  readonly address: Readonly<Record<string, string>>;
}): JSX.Element {
  const { id, checks, address } = props;
  const { result = '' } = address;
  const path = batchPathOf(id);
  const options = countResults(checks).map(
    ({ result: one, name, count }) =>
      [one, `${name.charAt(0).toUpperCase()}${name.slice(1)} (${count})`] as const,
  );
  return (
    <>
      <Progress checks={checks} />
      <div class="controls">
        <SelectField
          label="Show"
          value={result}
          options={[['', `All (${checks.length})`], ...options]}
          onChoose={(chosen) => changeParams({ result: chosen })}
        />
      </div>
      <CheckRows
        checks={checks.filter((check) => result === '' || resultOf(check) === result)}
        hrefOf={(check) => routeTo('check', { ...address, id: check.id })}
      />
      {hasKeptColumns(id) ? (
        <p class="hint">
          The file of the answers has your own columns in front while this page is open.{' '}
          {describeEncoding(id, checks)}
        </p>
      ) : null}
      <DataTools
        csv={path}
        fetchCsv={async () => ({ kind: 'answered', data: printAnswers(id, checks) })}
        paths={[path]}
      />
    </>
  );
}

/** How many checks of the list have ended, and with which results. Screen readers read out each change. */
function Progress({ checks }: { readonly checks: readonly StoredCheck[] }): JSX.Element {
  const ended = checks.filter(({ status }) => status !== 'pending').length;
  const [first] = checks;
  return (
    <div class="batch">
      <h2 id="batch-title">
        {countInWords(checks.length, 'number')}
        {first === undefined ? '' : ` of ${datedMoment(first.createdAt)}`}
      </h2>
      <progress
        max={Math.max(1, checks.length)}
        value={ended}
        aria-label="Checks of the list that have ended"
      />
      <p role="status">
        {ended} of {checks.length} done: {summariseChecks(checks)}.
      </p>
    </div>
  );
}
