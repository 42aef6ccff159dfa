import { fxDoubts } from '../../simulation/plausibility.ts';
import type { TestService } from '../../support/start-service.ts';

const everyDate = 'from=1000-01-01&to=9999-12-31';
/** The first day of the euro's reference rates. */
const firstDate = '1999-01-04';

/** Exchange rates that a caller has read, and the reasons to doubt new ones (contract C19, C20). */
export class KnownFixings {
  readonly #service: TestService;
  readonly #bodies = new Map<string, string>();
  #dates: ReadonlySet<string> = new Set();

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Accepts the published rates without a judgement. */
  async learn(): Promise<void> {
    const dates = await this.#readDates();
    this.#dates = new Set(dates);
    for (const date of dates.slice(-3)) await this.#readBody(date);
  }

  /** Compares with new rates: the new ones, the reasons to doubt them, and forbidden changes. */
  async readAgain(
    today: string,
  ): Promise<{ readonly added: readonly string[]; readonly doubts: readonly string[] }> {
    const dates = await this.#readDates();
    const added = dates.filter((date) => !this.#dates.has(date));
    const lost = [...this.#dates.difference(new Set(dates))];
    const doubts = lost.map((date) => `${date} is lost`);
    for (const date of added) {
      const before = await this.#readBody(dates[dates.indexOf(date) - 1] ?? date);
      const body = await this.#readBody(date);
      doubts.push(...dateDoubts(date, today), ...fxDoubts(before, body), ...moves(before, body));
    }
    for (const [date, body] of this.#bodies) {
      const { text } = await this.#service.get(`/fx/${date}`);
      if (text !== body) doubts.push(`${date} changed`);
    }
    const latest = (await this.#service.get('/fx')).text;
    if (!latest.includes(`"${dates.at(-1)}"`)) doubts.push('/fx is not of the newest date');
    return { added, doubts };
  }

  async #readDates(): Promise<readonly string[]> {
    const { text } = await this.#service.get(`/fx/dates?${everyDate}`);
    return (JSON.parse(text) as { readonly dates: readonly string[] }).dates.toSorted();
  }

  async #readBody(date: string): Promise<string> {
    const body = this.#bodies.get(date) ?? (await this.#service.get(`/fx/${date}`)).text;
    this.#bodies.set(date, body);
    if (this.#bodies.size > 10) this.#bodies.delete([...this.#bodies.keys()][0] ?? '');
    return body;
  }
}

function dateDoubts(date: string, today: string): string[] {
  const isWeekend = [0, 6].includes(new Date(date).getUTCDay());
  return [
    ...(isWeekend ? [`${date} is a weekend`] : []),
    ...(date > today ? [`${date} is in the future`] : []),
    ...(date < firstDate ? [`${date} is before the first of all`] : []),
  ];
}

/** More than three currencies by over a quarter. */
function moves(before: string, after: string): string[] {
  const [was = {}, is = {}] = [before, after].map(
    (body) => (JSON.parse(body) as { readonly rates: Record<string, number> }).rates,
  );
  const large = Object.keys(was).filter((currency) => {
    const ratio = (is[currency] ?? Number.NaN) / (was[currency] ?? 0);
    return Math.abs(ratio - 1) > 0.250_001;
  });
  return large.length > 3 ? [`${large.join()} moved by over 25 %`] : [];
}
