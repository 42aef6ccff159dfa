import type { JSX } from 'preact';
import { memberStates } from '../countries.ts';
import { SelectField } from '../parts/select-field.tsx';
import { Switch } from '../parts/switch.tsx';
import { TextField } from '../parts/text-field.tsx';
import { changeParams } from '../route.ts';
import type { GoodsParams } from './goods-query.ts';
import type { Search } from './search.ts';

/** The fields for the country, the search, and rows for territories. */
export function GoodsControls(props: {
  readonly params: GoodsParams;
  readonly search: Search;
}): JSX.Element {
  const { params, search } = props;
  const { country, text, withTerritories } = params;
  const isFault = search.kind === 'fault';
  return (
    <div class="controls goods-controls">
      <SelectField
        label="Country"
        value={country}
        options={[['', 'All countries'], ...Object.entries(memberStates)]}
        // A postcode belongs to a country.
        onChoose={(code) => changeParams({ country: code, postcode: undefined })}
      />
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const field = event.currentTarget.querySelector('input');
          changeParams({ q: field?.value.trim() });
        }}
      >
        <TextField
          label="Goods or service"
          value={text}
          maxLength={100}
          isFault={isFault}
          hintId="goods-hint"
          onChoose={(next) => changeParams({ q: next })}
        />
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      {text === '' ? null : (
        <button type="button" onClick={() => changeParams({ q: undefined })}>
          Show all
        </button>
      )}
      <Switch
        label="Rates of regions"
        choices={[
          {
            name: 'National rates',
            isChosen: !withTerritories,
            onChoose: () => changeParams({ territories: undefined }),
          },
          {
            name: 'With regions',
            isChosen: withTerritories,
            onChoose: () => changeParams({ territories: 'include' }),
          },
        ]}
      />
      <p id="goods-hint" class="hint wide" role={isFault ? 'alert' : undefined}>
        {isFault
          ? search.fault
          : 'Words in English, such as books or hotel; a CN code of goods, such as 4902; a CPA code of services, such as CPA 55.10; or a category of TEDB.'}
      </p>
    </div>
  );
}
