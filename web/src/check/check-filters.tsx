import type { JSX } from 'preact';
import { checkable } from '../countries.ts';
import { SelectField } from '../parts/select-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { changeParams } from '../route.ts';
import { type CheckFilters, isFiltered, resultOf, results, withoutFilters } from './check-query.ts';

/** The fields that filter the list. A new filter begins with the newest checks. */
export function CheckFilterFields({ filters }: { readonly filters: CheckFilters }): JSX.Element {
  const { country, number, reference } = filters;
  return (
    <div class="controls">
      <SelectField
        label="Result"
        value={resultOf(filters)}
        options={results.map(([value, name]) => [value, name])}
        onChoose={(chosen) => {
          const [, , status, valid] = results.find(([value]) => value === chosen) ?? results[0];
          changeParams({ status, valid, cursor: undefined });
        }}
      />
      <SelectField
        label="Member State"
        value={country}
        options={[['', 'All'], ...Object.entries(checkable)]}
        onChoose={(chosen) => changeParams({ country: chosen, cursor: undefined })}
      />
      <TextField
        label="Number"
        value={number}
        onChoose={(text) => changeParams({ number: text, cursor: undefined })}
      />
      <TextField
        label="Reference"
        value={reference}
        onChoose={(text) => changeParams({ reference: text, cursor: undefined })}
      />
      {isFiltered(filters) ? (
        <button type="button" onClick={() => changeParams(withoutFilters)}>
          Show all checks
        </button>
      ) : null}
    </div>
  );
}
