import type { CsvTable } from '../../../src/platform/csv/csv.ts';
import type { FetchCsv } from '../parts/download-csv.tsx';
import { csvFile } from '../parts/save-file.ts';
import { listRates } from './law-rates.tsx';
import type { LawFx } from './laws.ts';

/**
 * Makes the CSV file of an answer. That of the service has rates only, and always the same columns; this one says in each
 * line of which day they are, and by which law.
 */
export const fetchLawCsv: FetchCsv = async (api, path) => {
  const outcome = await api.get<LawFx>(path);
  if (outcome.kind === 'failed') return outcome;
  return { kind: 'answered', data: csvFile(nameOf(outcome.data), tableOf(outcome.data)) };
};

function tableOf(answer: LawFx): CsvTable {
  const { date, legalBasis } = answer;
  if ('quote' in answer) {
    return {
      columns: ['currency', 'units', 'rate', 'date', 'table', 'legalBasis'],
      rows: Object.entries(answer.rates).map(([currency, { units, rate }]) => {
        return [currency, String(units), String(rate), date, answer.table, legalBasis];
      }),
    };
  }
  return {
    columns: ['currency', 'rate', 'date', 'legalBasis', 'note'],
    rows: listRates(answer).map(({ currency, rate, note }) => {
      return [currency, String(rate), date, legalBasis, note];
    }),
  };
}

/** The name that the service gives to its own file of the answer. */
function nameOf(answer: LawFx): string {
  if (answer.rule !== 'vat') return `fx-${answer.rule}-${answer.period}.csv`;
  const { taxPoint, country, issued = null } = answer;
  const bank = 'quote' in answer ? [answer.bank] : [];
  const ofIssue = issued === null ? [] : [`issued-${issued}`];
  return `${['fx-vat', taxPoint, country ?? [], bank, ofIssue].flat().join('-')}.csv`;
}
