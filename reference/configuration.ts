import type { Option } from '../src/platform/config/option.ts';
import { options } from '../src/platform/config/options.ts';

/** The text of `docs/configuration.md`, made from the option table. */
export function printConfigDocument(): string {
  const rows = (Object.values(options) as Option<unknown>[]).flatMap((option) => {
    if (option.replacedBy !== undefined) return [];
    const shown = option.default === '' ? 'none' : `\`${option.default}\``;
    const name =
      option.secret === true
        ? `\`${option.name}\` (or \`${option.name}_FILE\`)`
        : `\`${option.name}\``;
    return [`| ${name} | ${shown} | ${option.expected} | ${option.means} |`];
  });
  return [
    '# Configuration',
    '',
    '<!-- Made by `npm run generate` from src/platform/config/options.ts; do not edit. -->',
    '',
    'Settings are environment variables. A file `.env` in the working directory is read as well; the',
    'environment wins. Settings that may hold a password can be given as the name of a file in',
    '`<NAME>_FILE`. An empty variable counts as not set. All problems are reported together when the',
    'program starts, with a warning for each name that only looks like a setting.',
    '',
    '`npm run vatfx -- config` shows what is in effect and where each value came from. Secrets are never',
    'printed: of `SECRET_KEY` only its length is shown, of the addresses of PostgreSQL and Redis only',
    'protocol, host, port and database. A refused address or key is not quoted either.',
    '',
    '| variable | default | accepts | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
