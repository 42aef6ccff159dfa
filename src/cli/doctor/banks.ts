import { banks } from '../../fx/banks/banks.ts';
import { readAnswer } from '../../fx/banks/fetch-span.ts';
import type { Config } from '../../platform/config/options.ts';
import { addDays } from '../../platform/time/time.ts';
import { ok, wrong } from './finding.ts';
import type { Probe } from './probe.ts';

/** Days for which a bank is queried: more than between any two publications. */
const daysQueried = 14;

/** A small request to each bank in FX_BANKS. */
export function probeBanks(config: Config, nowMs: number): readonly Probe[] {
  return config.fxBanks.map((name): Probe => {
    const bank = banks[name];
    const { client, timetable, variable, setting } = bank;
    const to = timetable.today(nowMs);
    const [span = { from: to, to }] = client.listSpans({ from: addDays(to, -daysQueried), to });
    const upstream = `${name} source` as const;
    return {
      upstream,
      variable,
      request: {
        url: config[setting] + client.pathOf(span),
        method: 'GET',
        headers: { accept: 'application/json' },
      },
      bodyBytesMax: client.bodyBytesMax,
      read: async (answer) => {
        const { publications } = await readAnswer(bank, answer, span);
        const newest = publications
          .map(({ date }) => date)
          .toSorted()
          .at(-1);
        if (newest !== undefined) return ok(upstream, `exchange rates of ${newest}`);
        return wrong(upstream, `no publication since ${span.from}, answered`, `check ${variable}`);
      },
    };
  });
}
