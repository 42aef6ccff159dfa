import { addDays, dateIn, type IsoDate, isoDate, momentIn } from '../../platform/time/time.ts';
import type { BankName } from '../../platform/publication/data-set-kinds.ts';
import type { Answer } from '../transport/answer.ts';
import { wordHash } from '../data/noise.ts';
import type { BankFault, BankScript } from '../scenario/bank-script.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { type Holidays, isWorkingDay } from './calendar.ts';
import type { BankRate, BankSeries } from './series.ts';

/** A publication of a bank. */
export interface BankDay {
  readonly date: IsoDate;
  /** Its place in the year, from 1 on. */
  readonly number: number;
  readonly rates: readonly BankRate[];
}

/** The facts in which the simulated banks differ. */
export interface BankFacts {
  readonly name: BankName;
  readonly timeZone: string;
  /** The minute of the day at which the bank publishes; the second varies. */
  readonly publicationMinute: number;
  readonly holidays: Holidays;
  readonly first: IsoDate;
  readonly series: BankSeries;
  /** Paths below the address of the bank, each with its text on the start page. */
  readonly served: Readonly<Record<string, string>>;
  /** Answers a request for a path below the address of the bank, with its query. */
  readonly answer: (bank: BankSimulator, target: string, fault: BankFault) => Answer;
}

/** The web server of a national bank, with the publications up to the sandbox's time. */
export class BankSimulator {
  readonly #facts: BankFacts;
  readonly #scenario: Scenario;
  readonly #historyFrom: IsoDate;
  readonly #numbers = new Map<string, number>();

  constructor(facts: BankFacts, scenario: Scenario, historyFrom: IsoDate = facts.first) {
    this.#facts = facts;
    this.#scenario = scenario;
    this.#historyFrom = historyFrom < facts.first ? facts.first : historyFrom;
  }

  /** The scripted state of this bank. */
  get script(): Required<BankScript> {
    return this.#scenario.state[this.#facts.name];
  }

  /** The bank's date now. */
  get today(): IsoDate {
    return dateIn(this.#facts.timeZone, this.#scenario.clock.now());
  }

  /** The moment whose publications an answer has: that of now, or of when a cache got it. */
  get #answeredMs(): number {
    const { ageSeconds, staleSeconds } = this.script;
    return this.#scenario.clock.now() - (ageSeconds + staleSeconds) * 1_000;
  }

  answer(target: string, fault: BankFault): Answer {
    const answer = this.#facts.answer(this, target, fault);
    const { ageSeconds } = this.script;
    if (ageSeconds === 0) return answer;
    return { ...answer, headers: { ...answer.headers, Age: String(ageSeconds) } };
  }

  /** The publications of some days that are published by now, oldest first. */
  list(from: IsoDate, to: IsoDate): readonly BankDay[] {
    const days: BankDay[] = [];
    const first = from < this.#historyFrom ? this.#historyFrom : from;
    for (let date = first; date <= to && date <= this.today; date = addDays(date, 1)) {
      if (this.#isPublished(date)) {
        days.push({ date, number: this.#numberOf(date), rates: this.#ratesOn(date) });
      }
    }
    return days;
  }

  #isPublished(date: IsoDate): boolean {
    const { timeZone, publicationMinute } = this.#facts;
    const { lateDays, missing } = this.script;
    if (!this.#isWorkingDay(date) || missing.includes(date)) return false;
    const day = lateDays > 0 && date >= this.script.lateFrom ? addDays(date, lateDays) : date;
    const second = wordHash(date) % 60;
    const publishedAt = momentIn(timeZone, day, publicationMinute) + second * 1_000;
    return publishedAt <= this.#answeredMs;
  }

  #isWorkingDay(date: IsoDate): boolean {
    return isWorkingDay(date, this.#facts.holidays) && !this.script.closedDays.includes(date);
  }

  /** The number of a working day in its year; a missing publication has one as well. */
  #numberOf(date: IsoDate): number {
    const first = isoDate(`${date.slice(0, 4)}-01-01`);
    const { closedDays } = this.script;
    const closed = closedDays.filter((day) => day >= first && day <= date).length;
    const known = this.#numbers.get(date);
    if (known !== undefined) return known - closed;
    let number = 0;
    for (let day = first; day <= date; day = addDays(day, 1)) {
      if (!isWorkingDay(day, this.#facts.holidays)) continue;
      number += 1;
      this.#numbers.set(day, number);
    }
    return number - closed;
  }

  #ratesOn(date: IsoDate): readonly BankRate[] {
    const scripted = this.script.values.filter((one) => one.date === date);
    const rates = new Map(
      this.#facts.series.ratesOn(date).map(({ currency, value }) => [currency, value]),
    );
    for (const { currency, value } of scripted) rates.set(currency, value);
    const { perMille } = this.script;
    return [...rates].map(([currency, value]) => ({ currency, value: multiply(value, perMille) }));
  }
}

/** A value times a number of thousandths, with its decimals. */
function multiply(value: string, perMille: number): string {
  if (perMille === 1_000) return value;
  const decimals = value.split('.')[1]?.length ?? 0;
  return ((Number(value) * perMille) / 1_000).toFixed(decimals);
}

/** A plain answer of a bank's API. */
export function textAnswer(status: number, text: string): Answer {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: text };
}

/** An answer with JSON, as it is printed: numbers keep their digits. */
export function jsonText(body: string, type = 'application/json; charset=utf-8'): Answer {
  return { status: 200, headers: { 'Content-Type': type, 'Cache-Control': 'no-cache' }, body };
}
