import type { Option } from './option.ts';
import { options } from './options.ts';
import { retiredSettings } from './retired-settings.ts';
import { isOneEditAway } from './similar-names.ts';

const names: readonly string[] = (Object.values(options) as Option<unknown>[]).flatMap((option) => [
  option.name,
  ...(option.secret === true ? [`${option.name}_FILE`] : []),
  ...(option.inLowerCaseToo === true ? [option.name.toLowerCase()] : []),
]);

/** Names of an earlier release, each with its name in this one. */
const replacements = new Map(
  (Object.values(options) as Option<unknown>[]).map(({ name, replacedBy }) => [name, replacedBy]),
);

/** Prefixes that other programs are not likely to use. */
const ownPrefixes = [
  'VATFX_',
  'TEDB_',
  'ECB_',
  'VIES_',
  'HMRC_',
  'BZST_',
  'NBP_',
  'CNB_',
  'RATES_',
  'FX_',
  'OPS_',
];

/**
 * Warns of variables that look like a setting and are not, `TEDB_URI` or `VATFX_PORT`, and of those of an earlier
 * release.
 *
 * Without this, a typo in a name would be the only mistake that is not reported.
 */
export function findLookalikes(given: readonly string[]): string[] {
  return [...new Set(given)].flatMap((name) => {
    const replacedBy = replacements.get(name);
    if (replacedBy !== undefined)
      return [
        `${name} is now ${replacedBy}: set that and remove ${name}, which the next release will not read`,
      ];
    if (names.includes(name)) return [];
    if (name.toUpperCase() === 'ALL_PROXY') return given.some(isProxySetting) ? [] : [allProxy];
    const retired = retiredSettings[name];
    if (retired !== undefined) return [`${name} is not a setting any more: ${retired}`];
    const near = names.find((own) => own.length > 5 && isOneEditAway(name.toUpperCase(), own));
    if (near !== undefined) {
      return [`${name} is not a setting; did you mean ${replacements.get(near) ?? near}?`];
    }
    return ownPrefixes.some((prefix) => name.startsWith(prefix))
      ? [`${name} is not a setting of this version`]
      : [];
  });
}

/** Some programs read it instead of the two settings. */
const allProxy = 'ALL_PROXY is not a setting; set HTTPS_PROXY and HTTP_PROXY';

function isProxySetting(name: string): boolean {
  return /^HTTPS?_PROXY(?:_FILE)?$/i.test(name);
}
