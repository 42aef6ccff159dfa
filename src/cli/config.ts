import { showValue } from '../platform/config/config.ts';
import type { Option } from '../platform/config/option.ts';
import { type OptionKey, options as table } from '../platform/config/options.ts';
import { formatTable, report } from './report.ts';
import { loadWithWarnings } from './with-core.ts';

/** Shows every setting, its value and where it came from; passwords are hidden. */
export async function showConfig(options: { readonly json?: boolean }): Promise<void> {
  const { config, sources } = loadWithWarnings();
  const rows = (Object.entries(table) as [OptionKey, Option<unknown>][]).map(([key, option]) => ({
    name: option.name,
    value: showValue(config[key]),
    source: sources[key],
  }));
  const text = formatTable(
    ['variable', 'value', 'from'],
    rows.map(({ name, value, source }) => [name, value, source]),
    '',
  );
  report(options.json, rows, text);
}
