import type { JSX } from 'preact';
import { countryName } from '../countries.ts';
import { Failed } from '../parts/failed.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notice } from '../parts/notice.tsx';
import { TextField } from '../parts/text-field.tsx';
import { changeParams } from '../route.ts';
import type { Failure } from '../session/failure.ts';
import { useLoad } from '../session/load.ts';
import type { Territory, TerritoryList } from '../wire.ts';
import {
  applicationInWords,
  describePlaces,
  explainTerritory,
  lawRatesInWords,
  tedbRatesInWords,
} from './territory-words.ts';

/** The places of a country with a VAT treatment of their own, or those of one postcode (rule G8). */
export function TerritoriesSection(props: {
  readonly country: string;
  /** As the visitor wrote it; '' for none. */
  readonly postcode: string;
}): JSX.Element {
  const { country, postcode } = props;
  const query = new URLSearchParams({ country, ...(postcode === '' ? {} : { postcode }) });
  const path = `/territories?${query.toString()}`;
  const { data, failure, isLoading, reload } = useLoad<TerritoryList>(path);
  const isMalformed = failure !== undefined && isPostcodeRefused(failure);
  return (
    <section aria-labelledby="territories-title">
      <h2 id="territories-title">Places with VAT of their own</h2>
      {data === undefined || postcode !== '' ? null : (
        <p class="found" role="status">
          {describePlaces(data.territories, country)}
        </p>
      )}
      {data?.count === 0 && postcode === '' ? null : (
        <PostcodeField postcode={postcode} isMalformed={isMalformed} />
      )}
      {failure === undefined || isMalformed ? null : <Failed failure={failure} onRetry={reload} />}
      {data === undefined ? (
        isLoading && <Loading />
      ) : (
        <div aria-busy={isLoading} class={isLoading ? 'busy' : ''}>
          <Territories list={data} country={country} postcode={postcode} />
        </div>
      )}
    </section>
  );
}

function PostcodeField(props: {
  readonly postcode: string;
  readonly isMalformed: boolean;
}): JSX.Element {
  const { postcode, isMalformed } = props;
  return (
    <div class="controls">
      <TextField
        label="Postcode of the customer"
        value={postcode}
        maxLength={20}
        isFault={isMalformed}
        hintId="postcode-hint"
        onChoose={(text) => changeParams({ postcode: text })}
      />
      {postcode === '' ? null : (
        <button type="button" onClick={() => changeParams({ postcode: undefined })}>
          Show all places
        </button>
      )}
      <p id="postcode-hint" class="hint" role={isMalformed ? 'alert' : undefined}>
        {isMalformed
          ? 'This is not a postcode: it has 2 to 10 letters and digits.'
          : 'A postcode shows whether the law of today treats its place differently.'}
      </p>
    </div>
  );
}

function isPostcodeRefused(failure: Failure): boolean {
  return failure.kind === 'refused' && failure.error.startsWith("invalid 'postcode'");
}

function Territories(props: {
  readonly list: TerritoryList;
  readonly country: string;
  readonly postcode: string;
}): JSX.Element | null {
  const { list, country, postcode } = props;
  const { territories, decided } = list;
  if (territories.length === 0 && decided === false) {
    return (
      <Notice kind="problem" title={`${postcode} is not a postcode of ${countryName(country)}`}>
        <p>
          The postcodes there have another form. A spreadsheet may have dropped zeros at its
          beginning.
        </p>
      </Notice>
    );
  }
  if (territories.length === 0) {
    return postcode === '' ? null : (
      <p class="found" role="status">
        No place with VAT of its own is known for {postcode}, so it counts as the rest of{' '}
        {countryName(country)}.
      </p>
    );
  }
  return (
    <>
      {postcode === '' ? null : <PostcodeVerdict {...props} isDecided={decided !== false} />}
      <ul class="territories">
        {territories.map((territory) => (
          <TerritoryCard key={territory.code} territory={territory} isOpen={postcode !== ''} />
        ))}
      </ul>
    </>
  );
}

/** Says where a postcode is, or that only the address decides. */
function PostcodeVerdict(props: {
  readonly list: TerritoryList;
  readonly postcode: string;
  readonly isDecided: boolean;
}): JSX.Element {
  const { list, postcode, isDecided } = props;
  const names = list.territories.map(({ name }) => name).join(', ');
  return isDecided ? (
    <Notice kind="hint" title={`${postcode} is in: ${names}`}>
      <p>The national rates may not apply there: read below.</p>
    </Notice>
  ) : (
    <Notice kind="problem" title={`${postcode} can be in: ${names}`}>
      <p>
        Other places have this postcode as well, so it does not decide. Ask for the whole address.
      </p>
    </Notice>
  );
}

function TerritoryCard(props: {
  readonly territory: Territory;
  readonly isOpen: boolean;
}): JSX.Element {
  const { territory, isOpen } = props;
  const { name, code, appliesTo, note, legalBasis, tedbRates, rates } = territory;
  return (
    <li>
      <details class="territory" open={isOpen}>
        <summary>
          {name} <span class="code">{code}</span>
        </summary>
        <p>{explainTerritory(territory)}</p>
        <p>{note}</p>
        <dl>
          {rates === null ? null : (
            <>
              <dt>Rates by law</dt>
              <dd>{lawRatesInWords(rates)}</dd>
            </>
          )}
          {appliesTo === null ? null : (
            <>
              <dt>They apply</dt>
              <dd>{applicationInWords(appliesTo)}</dd>
            </>
          )}
          {tedbRates.length === 0 ? null : (
            <>
              <dt>TEDB reports</dt>
              <dd>{tedbRatesInWords(tedbRates)}</dd>
            </>
          )}
        </dl>
        <p class="hint">{legalBasis}</p>
      </details>
    </li>
  );
}
