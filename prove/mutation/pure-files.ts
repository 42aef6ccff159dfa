import { globSync } from 'node:fs';

/** Files without I/O whose tests a mutation tester judges. Tests stand beside them: `gate.test.ts`, `gate-….test.ts`. */
export const pureFiles: readonly string[] = [
  'src/access/limits/refusal.ts',
  'src/fx/absences/absence.ts',
  'src/fx/calendar.ts',
  'src/fx/law/deciding-publication.ts',
  'src/fx/law/rules.ts',
  'src/fx/law/tax-points.ts',
  'src/fx/publishing/gate.ts',
  'src/fx/publishing/plan.ts',
  'src/fx/timetable.ts',
  'src/platform/fields/field.ts',
  'src/platform/values/decimal.ts',
  'src/platform/values/page-limit.ts',
  'src/rates/categories/comment-days.ts',
  'src/rates/categories/match-rows.ts',
  'src/rates/categories/row-errata.ts',
  'src/rates/categories/verdict.ts',
  'src/rates/diff.ts',
  'src/rates/errata/erratum-rows.ts',
  'src/rates/gate.ts',
  'src/rates/snapshot.ts',
  'src/rates/tedb-rows.ts',
  'src/rates/timetable.ts',
  'src/vat-check/registries/vies/echo.ts',
  'src/vat-check/stored/attempts/attempt-schedule.ts',
  'src/vat-check/stored/evidence/canonical-json.ts',
  'src/vat-check/stored/attempts/progress.ts',
  'src/vat-check/numbers/trader.ts',
  'src/vat-check/numbers/vat-number.ts',
  'src/webhooks/delivery/retry-schedule.ts',
];

/** The tests beside the pure files. */
export function testsOfPureFiles(): string[] {
  return pureFiles.flatMap((file) => globSync(`${file.slice(0, -'.ts'.length)}{,-*}.test.ts`));
}
