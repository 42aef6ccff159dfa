import { type Judgement, type LoadedConfig, loadConfig } from '../platform/config/config.ts';
import type { Config } from '../platform/config/options.ts';
import { doubtOf } from '../vat-check/numbers/hint.ts';
import { printRequester, readRequesterText } from '../vat-check/numbers/requester.ts';
import { EnabledRegistries } from '../vat-check/registries/enabled.ts';
import { readControl } from '../vat-check/registries/hmrc/service.ts';
import type { RegistryCode } from '../vat-check/numbers/vat-number.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Loads the settings of a process, among them those whose values only a feature can read. Throws one `ConfigError`. */
export function loadSettings(environment: Variables): LoadedConfig {
  return loadConfig(environment, judgeSettings);
}

/** Judges the requesters, which are read as the requester of a body is (rules K1, K2, K4 and M6), and HMRC_CONTROL. */
export function judgeSettings(config: Partial<Config>): Judgement {
  const { viesRequester = '', requesters = '', hmrcControl = '', registries } = config;
  const known = new EnabledRegistries(registries).countries;
  const isRefused = {
    viesRequester: viesRequester !== '' && readRequesterText(viesRequester, known) === undefined,
    requesters: requesters !== '' && !areRequesters(requesters, known),
    hmrcControl: hmrcControl !== '' && readControl(hmrcControl) === undefined,
  };
  const named = [
    ['VIES_REQUESTER', viesRequester],
    ...requesters.split(',').map((one) => ['REQUESTERS', one]),
  ] as const;
  return {
    refused: (Object.keys(isRefused) as (keyof typeof isRefused)[]).filter((key) => isRefused[key]),
    warnings: named.flatMap(([name = '', given = '']) => {
      const requester = readRequesterText(given);
      if (requester === undefined) return [];
      const text = printRequester(requester);
      const doubt = describeDoubt(text);
      return doubt === undefined
        ? []
        : `${name} ${name === 'REQUESTERS' ? 'has' : 'is'} ${text}: ${doubt}`;
    }),
  };
}

/** Whether a text is a list of requesters with at most one of each country. */
function areRequesters(text: string, known: readonly RegistryCode[]): boolean {
  const read = text.split(',').flatMap((one) => readRequesterText(one, known) ?? []);
  const countries = new Set(read.map(({ registryCode }) => registryCode));
  return read.length === text.split(',').length && countries.size === read.length;
}

/** The doubt about a requester as keys store it, with what follows from it (rule K3); undefined if there is none. */
export function describeDoubt(text: string): string | undefined {
  const requester = readRequesterText(text);
  const doubt = requester === undefined ? null : doubtOf(requester);
  if (doubt === null) return undefined;
  return `${doubt}; if it is mistyped, every proof names a business that does not exist`;
}
