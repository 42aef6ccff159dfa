import goods from '../data/goods.json' with { type: 'json' };
import type { IsoDate } from '../../platform/time/time.ts';
import type { RatesInForce } from '../scenario/rates-in-force.ts';
import type { Category, Code } from './goods.ts';

/** A `vatRateResults` element, with its value in percentage points, without trailing zeros. */
export interface TedbRow {
  readonly memberState: string;
  readonly type: 'STANDARD' | 'REDUCED';
  readonly rateType: TedbRateType;
  readonly value: string;
  readonly situationDate: IsoDate;
  readonly cnCodes: readonly Code[];
  readonly cpaCodes: readonly Code[];
  readonly category?: Category;
  readonly comment?: string | undefined;
  /** The value of its copy for imports, if it is another one. */
  readonly importValue?: string;
}

export type TedbRateType =
  | 'DEFAULT'
  | 'REDUCED_RATE'
  | 'SUPER_REDUCED_RATE'
  | 'PARKING_RATE'
  | 'NOT_APPLICABLE'
  | 'OUT_OF_SCOPE'
  | 'EXEMPTED';

/** Full answers have the size of the real ones; brief ones have one or two rows for each rate. */
export type Detail = 'full' | 'brief';

/** One record of one Member State: the rates that hold from its date. */
export interface Situation {
  readonly state: string;
  readonly date: IsoDate;
  readonly rates: RatesInForce;
}

/** A row without category, codes and comment. */
export function makeRow(situation: Situation, rateType: TedbRateType, value: string): TedbRow {
  return {
    memberState: situation.state,
    type: rateType === 'DEFAULT' ? 'STANDARD' : 'REDUCED',
    rateType,
    value,
    situationDate: situation.date,
    cnCodes: [],
    cpaCodes: [],
  };
}

/** A comment as Member States write them: none, HTML, several lines, a lone hyphen, quotes. */
export function makeComment(state: string, hash: number): string | undefined {
  const article = String(1 + (hash % 200));
  const template = goods.comments[hash % goods.comments.length];
  return template?.replaceAll('{article}', article).replaceAll('{state}', state);
}
