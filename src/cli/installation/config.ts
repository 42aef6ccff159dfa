import { showValue } from '../../platform/config/config.ts';
import type { Option } from '../../platform/config/option.ts';
import { type OptionKey, options } from '../../platform/config/options.ts';
import { reporting } from '../command/command.ts';
import { loadWithWarnings } from '../running/with-database.ts';

/** The settings that no other one replaces. */
export const currentOptions = (Object.entries(options) as [OptionKey, Option<unknown>][]).filter(
  ([, { replacedBy }]) => replacedBy === undefined,
);

/** Each setting has its value and its source; passwords are hidden. */
export const config = reporting({
  examples: ['config'],
  run: async (io) => {
    const { config: values, sources } = loadWithWarnings(io);
    const settings = currentOptions.map(([key, { name }]) => ({
      name,
      value: showValue(values[key]),
      source: sources[key],
    }));
    return {
      document: settings,
      text: {
        rows: settings.map(({ name, value, source }) => ({ variable: name, value, from: source })),
        empty: '',
      },
    };
  },
});
