import type { JSX } from 'preact';
import { DateField } from '../parts/date-field.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { Switch } from '../parts/switch.tsx';
import { changeParams } from '../route.ts';
import { type LawQuestion, laws } from './laws.ts';
import { lawWords } from './law-words.ts';

const quarters = ['Q1', 'Q2', 'Q3', 'Q4'].map((value) => [value, value] as const);
const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });
const months = Array.from({ length: 12 }, (_, at) => {
  return [String(at + 1).padStart(2, '0'), monthName.format(Date.UTC(2000, at))] as const;
});

const withoutCountry = { country: undefined, issued: undefined };

/** The fields that choose the law and its period. */
export function LawControls(props: {
  readonly question: LawQuestion;
  /** The first and the last stored date. */
  readonly oldest: string;
  readonly newest: string;
}): JSX.Element {
  const { question, oldest, newest } = props;
  const { law, period, isPolish, issued } = question;
  const choose = (next: string): void => changeParams({ period: next });
  return (
    <div class="controls">
      <SelectField
        label="For"
        value={law}
        options={laws.map((one) => [one, lawWords[one].name])}
        onChoose={(next) => changeParams({ for: next, period: undefined, ...withoutCountry })}
      />
      {law === 'vat' ? (
        <>
          <DateField label="Day of the tax point" value={period} min={oldest} onChoose={choose} />
          <Switch
            label="Rule"
            choices={[
              {
                name: 'EU',
                isChosen: !isPolish,
                onChoose: () => changeParams(withoutCountry),
              },
              {
                name: 'Poland',
                isChosen: isPolish,
                onChoose: () => changeParams({ country: 'PL' }),
              },
            ]}
          />
          {isPolish ? (
            <DateField
              label="Day of issue, if earlier"
              value={issued}
              max={period}
              onChoose={(next) => changeParams({ issued: next === '' ? undefined : next })}
            />
          ) : null}
        </>
      ) : (
        <PeriodFields
          period={period}
          parts={law === 'oss' ? quarters : months}
          label={law === 'oss' ? 'Quarter' : 'Month'}
          years={{ from: Number(oldest.slice(0, 4)), to: Number(newest.slice(0, 4)) + 1 }}
          onChoose={choose}
        />
      )}
      <p class="hint wide">{lawWords[law].use}</p>
    </div>
  );
}

/** A field for the year and one for the part of the year. */
function PeriodFields(props: {
  /** `2023-Q4` or `2026-02`. */
  readonly period: string;
  /** The value and the name of each part. */
  readonly parts: readonly (readonly [string, string])[];
  readonly label: string;
  /** Both inclusive. */
  readonly years: { readonly from: number; readonly to: number };
  readonly onChoose: (period: string) => void;
}): JSX.Element {
  const { period, parts, label, years, onChoose } = props;
  const [year = '', part = ''] = period.split('-');
  // The address may have another year than those that are stored.
  const first = Math.min(years.from, Number(year));
  const last = Math.max(years.to, Number(year));
  const offered = Array.from({ length: last - first + 1 }, (_, at) => {
    const name = String(last - at);
    return [name, name] as const;
  });
  return (
    <>
      <SelectField
        label={label}
        value={part}
        options={parts}
        onChoose={(next) => onChoose(`${year}-${next}`)}
      />
      <SelectField
        label="Year"
        value={year}
        options={offered}
        onChoose={(next) => onChoose(`${next}-${part}`)}
      />
    </>
  );
}
