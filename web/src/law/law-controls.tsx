import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { type NationalCountry, nationalLaws } from '../../../src/fx/law/national-rules.ts';
import type { BankName } from '../../../src/platform/publication/data-set-kinds.ts';
import { countryName } from '../countries.ts';
import { bankWords } from '../fx/banks.ts';
import { DateField } from '../parts/date-field.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { Switch } from '../parts/switch.tsx';
import { changeParams } from '../route.ts';
import { banksOf, type Days, inForceSince, knowsIssue, type LawQuestion, laws } from './laws.ts';
import { lawWords, periodInWords } from './law-words.ts';
import { listPeriods } from './periods.ts';

const countries = [null, ...(Object.keys(nationalLaws) as NationalCountry[])];

type LawFields = {
  readonly question: LawQuestion;
  readonly days: Days;
  /** The national banks whose rates the service has. */
  readonly banks: readonly BankName[];
};

/** The fields that choose the law and its period. */
export function LawControls(props: LawFields): JSX.Element {
  const { question, days } = props;
  const { law, period } = question;
  const choose = (next: string): void => changeParams({ period: next });
  const withoutTaxPoint = { period: undefined, country: undefined, bank: undefined };
  return (
    <>
      <SelectField
        label="For"
        value={law}
        options={laws.map((one) => [one, lawWords[one].name])}
        onChoose={(next) => changeParams({ for: next, ...withoutTaxPoint, issued: undefined })}
      />
      {law === 'vat' ? (
        <TaxPointFields {...props} />
      ) : (
        <SelectField
          label={law === 'oss' ? 'Quarter' : 'Month'}
          value={period}
          // The address may have another period than those that are offered.
          options={[...new Set([...listPeriods(law, days), period])].map((one) => [
            one,
            periodInWords(one),
          ])}
          onChoose={choose}
        />
      )}
    </>
  );
}

function TaxPointFields({ question, days, banks }: LawFields): JSX.Element {
  const { period, country, bank, issued } = question;
  const since = inForceSince(question) ?? '';
  // Once a day of issue was given, its field stays, also while the visitor empties it to write another one.
  const hasIssue = useRef(false);
  hasIssue.current ||= issued !== '';
  const isOffered = (one: string): boolean =>
    one === 'ecb' || one === bank || banks.some((known) => known === one);
  const offered = banksOf(country).filter(isOffered);
  return (
    <>
      <DateField
        label="Day of the tax point"
        value={period}
        min={since > days.oldest ? since : days.oldest}
        onChoose={(next) => changeParams({ period: next })}
      />
      <Switch
        label="Country"
        choices={countries.map((one) => ({
          name: one === null ? 'EU rule' : countryName(one),
          isChosen: one === country,
          onChoose: () =>
            changeParams({
              country: one ?? undefined,
              // The bank that the law names first.
              bank: banksOf(one).find((name) => name !== 'ecb' && banks.includes(name)),
              issued: undefined,
            }),
        }))}
      />
      {offered.length === 1 ? null : (
        <Switch
          label="Bank"
          choices={offered.map((one) => ({
            name: bankWords[one].short,
            isChosen: one === bank,
            onChoose: () => changeParams({ bank: one }),
          }))}
        />
      )}
      {knowsIssue(question) ? (
        <details class="more-fields" open={hasIssue.current}>
          <summary>Issued earlier?</summary>
          <DateField
            label="Day of issue, if earlier"
            value={issued}
            max={period}
            onChoose={(next) => changeParams({ issued: next === '' ? undefined : next })}
          />
        </details>
      ) : null}
    </>
  );
}
