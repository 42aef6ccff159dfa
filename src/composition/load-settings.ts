import { type Judgement, type LoadedConfig, loadConfig } from '../platform/config/config.ts';
import type { Config } from '../platform/config/options.ts';
import { doubtOf } from '../vat-check/numbers/hint.ts';
import { printRequester, readRequesterText } from '../vat-check/numbers/requester.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Loads the settings of a process, among them those whose values only a feature can read. Throws one `ConfigError`. */
export function loadSettings(environment: Variables): LoadedConfig {
  return loadConfig(environment, judgeSettings);
}

/** Judges VIES_REQUESTER, which is read as the requester of a body is (rules K1, K2 and K4). */
export function judgeSettings({ viesRequester = '' }: Partial<Config>): Judgement {
  const requester = readRequesterText(viesRequester);
  if (requester === undefined) {
    return { refused: viesRequester === '' ? [] : ['viesRequester'], warnings: [] };
  }
  const text = printRequester(requester);
  const doubt = describeDoubt(text);
  return {
    refused: [],
    warnings: doubt === undefined ? [] : [`VIES_REQUESTER is ${text}: ${doubt}`],
  };
}

/** The doubt about a requester as keys store it, with what follows from it (rule K3); undefined if there is none. */
export function describeDoubt(text: string): string | undefined {
  const requester = readRequesterText(text);
  const doubt = requester === undefined ? null : doubtOf(requester);
  if (doubt === null) return undefined;
  return `${doubt}; if it is mistyped, every proof names a business that does not exist`;
}
