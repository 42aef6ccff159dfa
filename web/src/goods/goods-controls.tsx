import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { memberStates } from '../countries.ts';
import { SelectField } from '../parts/select-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { changeParams } from '../route.ts';
import type { GoodsParams } from './goods-query.ts';
import type { Search } from './search.ts';

/** The fields for the country and the search. On a phone all others are under “More”. */
export function GoodsControls(props: {
  readonly params: GoodsParams;
  readonly search: Search;
  /** Called when the visitor searches, also for the same again. */
  readonly onSearch: () => void;
  /** The fields for the dates. */
  readonly children: ComponentChildren;
}): JSX.Element {
  const { params, search, onSearch, children } = props;
  const { country, text, date, otherDate, withTerritories } = params;
  const [isOpen, setOpen] = useState(
    withTerritories || date !== undefined || otherDate !== undefined,
  );
  const isFault = search.kind === 'fault';
  return (
    <>
      <div class="controls goods-controls">
        <SelectField
          label="Country"
          value={country}
          options={[['', 'All countries'], ...Object.entries(memberStates)]}
          // A postcode belongs to a country.
          onChoose={(code) => changeParams({ country: code, postcode: undefined })}
        />
        <button
          type="button"
          class="more-button"
          aria-expanded={isOpen}
          aria-controls="goods-more"
          onClick={() => setOpen(!isOpen)}
        >
          More
        </button>
        <form
          class="search"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            const field = event.currentTarget.querySelector('input');
            changeParams({ q: field?.value.trim() });
            onSearch();
          }}
        >
          <TextField
            label="Goods or service"
            value={text}
            maxLength={100}
            isFault={isFault}
            hintId={isFault ? 'goods-fault' : 'goods-hint'}
            onChoose={(next) => changeParams({ q: next })}
          />
          <button type="submit" class="primary">
            Search
          </button>
        </form>
        {isFault ? (
          <p id="goods-fault" class="hint wide" role="alert">
            {search.fault}
          </p>
        ) : null}
      </div>
      <More params={params} isOpen={isOpen}>
        {children}
      </More>
    </>
  );
}

/** The other fields. A wide window always shows them. */
function More(props: {
  readonly params: GoodsParams;
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { params, isOpen, children } = props;
  const { text, withTerritories } = params;
  return (
    <div id="goods-more" class={isOpen ? 'controls more open' : 'controls more'}>
      {children}
      <label class="check-box">
        <input
          type="checkbox"
          checked={withTerritories}
          onChange={(event) =>
            changeParams({ territories: event.currentTarget.checked ? 'include' : undefined })
          }
        />
        Include regions
      </label>
      {text === '' ? null : (
        <button type="button" onClick={() => changeParams({ q: undefined })}>
          Show all goods
        </button>
      )}
      <p id="goods-hint" class="hint wide">
        Words in English, such as books or hotel; a CN code of goods, such as 4902; a CPA code of
        services, such as CPA 55.10; or a category of TEDB.
      </p>
    </div>
  );
}
