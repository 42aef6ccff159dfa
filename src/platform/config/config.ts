import { isUtf8 } from 'node:buffer';
import type { Place } from '../fields/field.ts';
import { readSmallFile } from '../files/small-file.ts';
import { type EnvFile, parseEnvFile, readEnvFile } from './env-file.ts';
import type { Option } from './option.ts';
import { type Config, type OptionKey, options } from './options.ts';
import { findLookalikes } from './lookalikes.ts';
import { Secret } from './secret.ts';

const allOptions: readonly Option<unknown>[] = Object.values(options);

type Variables = Readonly<Record<string, string | undefined>>;

export type ConfigSource =
  | 'default'
  | `${'environment' | '.env'}${'' | ` (${string})`}`
  | `file ${string}`;

export type LoadedConfig = {
  readonly config: Config;
  readonly sources: Readonly<Record<OptionKey, ConfigSource>>;
  /** Names that look like settings of vatfx and are not. */
  readonly warnings: readonly string[];
};

/** All settings that cannot be used, each with its value, or with its length if it may be secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`configuration: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/** What is said about settings whose values only a feature can read. */
export type Judgement = {
  /** Those whose values are not accepted. */
  readonly refused: readonly OptionKey[];
  readonly warnings: readonly string[];
};

/** Judges the settings that could be read. */
type Judge = (config: Partial<Config>) => Judgement;

/** Loads the settings of a process from its environment, then from `.env` in the working directory. */
export function loadConfig(environment: Variables = process.env, judge?: Judge): LoadedConfig {
  const file = readEnvFile('.env');
  if ('problem' in file) throw new ConfigError([file.problem]);
  return readConfig(environment, file.text, judge);
}

/**
 * Reads the settings from an environment and the text of a `.env` file; the environment wins.
 *
 * An empty variable counts as not set. Throws one `ConfigError` with all problems.
 */
export function readConfig(environment: Variables, dotenv: string, judge?: Judge): LoadedConfig {
  const parsedFile = parseEnvFile(dotenv);
  const file = parsedFile.variables;
  const problems = [...parsedFile.problems, ...checkNodeVariables(environment, parsedFile)];
  const config: Record<string, unknown> = {};
  const sources: Record<string, ConfigSource> = {};

  for (const [key, option] of Object.entries(options) as [OptionKey, Option<unknown>][]) {
    const found = find(option, environment, file, problems);
    const read = readOption(found.option, found.text);
    if (read.problems.length === 0) config[key] = followFile(read.value, found);
    problems.push(...read.problems);
    sources[key] = found.source;
  }
  const judgement = judge?.(config);
  for (const key of judgement?.refused ?? []) {
    const option: Option<unknown> = options[key];
    problems.push(`${describeGiven(option, String(config[key]))}, expected ${option.expected}`);
  }
  problems.push(...checkVerification({ ...file, ...environment }));
  if (problems.length === 0) problems.push(...checkTogether(config as Config));
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);

  return {
    config: config as Config,
    sources: sources as Record<OptionKey, ConfigSource>,
    warnings: [
      ...parsedFile.warnings,
      ...findLookalikes([...Object.keys(environment), ...Object.keys(file)]),
      ...(judgement?.warnings ?? []),
    ],
  };
}

/** A value as an operator writes it; of a secret, only the part that may be shown. */
export function showValue(value: Config[OptionKey]): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Reads the text of a setting; the value counts only if there are no problems. */
export function readOption<T>(
  option: Option<T>,
  text: string,
): { readonly value: T | undefined; readonly problems: readonly string[] } {
  const problems = (option.problemsOf?.(text) ?? []).map((one) => `${option.name} ${one}`);
  if (problems.length > 0) return { value: undefined, problems };
  const refuse: Place['refuse'] = (_, problem) => {
    if (problem.kind === 'malformed') {
      problems.push(`${describeGiven(option, text)}, expected ${problem.expected}`);
    }
  };
  return { value: option.read(text, { path: option.name, before: {}, refuse }), problems };
}

type Found = {
  readonly option: Option<unknown>;
  readonly text: string;
  readonly source: ConfigSource;
  /** The file that has the text. */
  readonly file?: string;
};

/** Makes a secret of a file one that can be read again, because it may be changed while the process runs. */
function followFile(value: unknown, { option, file }: Found): unknown {
  if (file === undefined || !(value instanceof Secret)) return value;
  return value.ofFile(() => {
    const content = readSecretFile(file);
    const { value: read } = readOption(option, 'text' in content ? content.text : '');
    return read instanceof Secret ? read : undefined;
  });
}

function find(
  option: Option<unknown>,
  environment: Variables,
  file: Variables,
  problems: string[],
): Found {
  const { name } = option;
  for (const [values, source] of [
    [environment, 'environment'],
    [file, '.env'],
  ] as const) {
    const lowerCase = option.inLowerCaseToo === true ? name.toLowerCase() : name;
    const isLowerCase = (values[lowerCase] ?? '') !== '' && lowerCase !== name;
    const value = values[isLowerCase ? lowerCase : name] ?? '';
    const path = option.secret === true ? (values[`${name}_FILE`] ?? '') : '';
    if (value !== '' && path !== '') {
      problems.push(`${name} and ${name}_FILE are both set, expected one of them`);
    }
    if (isLowerCase) return { option, text: value, source: `${source} (${lowerCase})` };
    if (value !== '') return { option, text: value, source };
    if (path === '') continue;
    const content = readSecretFile(path);
    if ('text' in content) {
      return { option, text: content.text, source: `file ${path}`, file: path };
    }
    // The path is not quoted: it may be the secret itself, given in the wrong variable.
    problems.push(
      `${name}_FILE has ${path.length} characters, expected the path of ${content.expected}`,
    );
  }
  const replacing = allOptions.find((one) => one.name === option.replacedBy);
  if (replacing !== undefined) return find(replacing, environment, file, problems);
  return { option, text: option.default, source: 'default' };
}

/**
 * Reads a secret, without white space and a byte order mark around it. An empty file is not the same as no setting: a server
 * would start without the secret that its operator gave it.
 */
function readSecretFile(path: string): { readonly text: string } | { readonly expected: string } {
  const file = readSmallFile(path);
  if (!('bytes' in file)) {
    return { expected: `a file that can be read; ${file.found}` };
  }
  const content = file.bytes;
  if (!isUtf8(content)) return { expected: 'a file of UTF-8 text; it is none' };
  const text = content.toString('utf8').trim();
  return text === '' ? { expected: 'a file with the secret; it is empty' } : { text };
}

/** Variables that Node reads before this program runs, so that they have no effect in `.env`. */
const nodeVariables: readonly string[] = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'NODE_USE_SYSTEM_CA',
  'OPENSSL_CONF',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'UV_THREADPOOL_SIZE',
];

function checkNodeVariables(environment: Variables, { variables, lines }: EnvFile): string[] {
  const isSet = (values: Variables, name: string): boolean => (values[name] ?? '') !== '';
  return nodeVariables
    .filter((name) => isSet(variables, name) && !isSet(environment, name))
    .map(
      (name) =>
        `${name} is in .env line ${lines.get(name)}, where Node does not read it; set it in the environment of the ` +
        'process: Environment= of the unit, environment: of Compose, or export in a shell',
    );
}

/** With this variable Node accepts every certificate, so that an attacker could answer for an upstream. */
function checkVerification(environment: Variables): string[] {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return [];
  return [
    'NODE_TLS_REJECT_UNAUTHORIZED is 0, which turns off the verification of certificates; remove it. ' +
      'An authority of your own is named in NODE_EXTRA_CA_CERTS, or in sslrootcert of DATABASE_URL',
  ];
}

function checkTogether(config: Config): string[] {
  const problems: string[] = [];
  const isSamePort = config.port === config.opsPort && config.port !== 0;
  if (isSamePort && config.host === config.opsHost) {
    problems.push(`PORT and OPS_PORT are both ${config.port}, expected two different ports`);
  }
  if (config.secretKeyNext !== undefined && config.secretKey === undefined) {
    problems.push('SECRET_KEY_NEXT is set without SECRET_KEY, expected both or SECRET_KEY alone');
  }
  if (config.viesRequester !== '' && config.requesters !== '') {
    problems.push('VIES_REQUESTER and REQUESTERS are both set, expected one of them');
  }
  if (config.registries.includes('hmrc')) {
    for (const key of ['hmrcClientId', 'hmrcClientSecret', 'hmrcControl'] as const) {
      if (!isSet(config[key]))
        problems.push(`${options[key].name} is not set, REGISTRIES has hmrc`);
    }
  }
  return problems;
}

function isSet(value: Config[OptionKey]): boolean {
  return value !== undefined && value !== '';
}

/** Quotes a text, or names only its length if it may hold a password. */
function describeGiven({ name, isQuoted }: Option<unknown>, given: string): string {
  if (given === '') return `${name} is empty`;
  return isQuoted === true
    ? `${name} is ${JSON.stringify(given)}`
    : `${name} has ${given.length} characters`;
}
