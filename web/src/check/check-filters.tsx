import type { JSX } from 'preact';
import { checkable } from '../countries.ts';
import { DateField } from '../parts/date-field.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { changeParams } from '../route.ts';
import { type CheckFilters, isFiltered, resultOf, results, withoutFilters } from './check-query.ts';

/** The fields that filter the list. A new filter begins with the newest checks. */
export function CheckFilterFields({ filters }: { readonly filters: CheckFilters }): JSX.Element {
  const { country, number, reference, from, to } = filters;
  const choose = (name: keyof CheckFilters) => (value: string) =>
    changeParams({ [name]: value, cursor: undefined });
  return (
    <div class="controls find">
      <TextField label="Number" value={number} onChoose={choose('number')} />
      <TextField
        label="Reference begins with"
        value={reference}
        maxLength={100}
        onChoose={choose('reference')}
      />
      <DateField label="From" value={from} max={to} onChoose={choose('from')} />
      <DateField label="To" value={to} min={from} onChoose={choose('to')} />
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
        onChoose={choose('country')}
      />
      {isFiltered(filters) ? (
        <button type="button" onClick={() => changeParams(withoutFilters)}>
          Show all checks
        </button>
      ) : null}
    </div>
  );
}
