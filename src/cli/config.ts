import { showValue } from '../platform/config/config.ts';
import type { Option } from '../platform/config/option.ts';
import { type OptionKey, options } from '../platform/config/options.ts';
import type { Io, Report } from './report.ts';
import { loadWithWarnings } from './with-database.ts';

/** The settings that no other one replaces. */
export const currentOptions = (Object.entries(options) as [OptionKey, Option<unknown>][]).filter(
  ([, { replacedBy }]) => replacedBy === undefined,
);

/** Lists each setting, its value and its source; passwords are hidden. */
export async function showConfig(io: Io): Promise<Report> {
  const { config, sources } = loadWithWarnings(io);
  const settings = currentOptions.map(([key, { name }]) => ({
    name,
    value: showValue(config[key]),
    source: sources[key],
  }));
  return {
    document: settings,
    text: {
      rows: settings.map(({ name, value, source }) => ({ variable: name, value, from: source })),
      empty: '',
    },
  };
}
