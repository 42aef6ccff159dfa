import { logLevels } from '../log/log.ts';
import {
  databaseUrl,
  folderUrl,
  httpUrl,
  originList,
  proxyUrl,
  redisUrl,
} from './address-option.ts';
import { bankOptions } from './bank-options.ts';
import {
  cidrList,
  contactOption,
  hostList,
  hostOption,
  inLowerCaseToo,
  networkList,
  oneOf,
  type Option,
  port,
  portList,
  requestLimit,
  secondsList,
  switchOption,
  requesterOption,
  wholeNumber,
} from './option.ts';
import { publicUrlOption } from './public-url.ts';
import { registryOptions } from './registry-options.ts';
import { secretKeyOption } from './secret-key.ts';

/** Two settings of 0.2 for one gate each. They still work, with a warning, until the release after 0.3. */
const formerGate = { default: 'hold', means: 'the same for one data set', replacedBy: 'GATE' };

/**
 * Every setting, in the order of the documents. From this table come the parser, `vatfx config` and
 * `docs/configuration.md`. The defaults are right for one machine without any configuration.
 */
export const options = {
  host: hostOption({
    name: 'HOST',
    default: '127.0.0.1',
    means: 'address of the API; `::` is every address, of IPv6 and IPv4',
  }),
  port: port({ name: 'PORT', default: '8080', means: 'port of the API' }),
  opsHost: hostOption({
    name: 'OPS_HOST',
    default: '127.0.0.1',
    means:
      'address of the operations port, which needs no key: keep it private; `::` is every address',
  }),
  opsPort: port({
    name: 'OPS_PORT',
    default: '9080',
    means: 'operations port: `/live`, `/ready`, `/metrics` (Prometheus), `/status` (JSON)',
  }),
  databaseUrl: databaseUrl({
    name: 'DATABASE_URL',
    default: 'file:./data/vatfx.db',
    means:
      'the database: `file:` is SQLite, relative to the working directory; `postgres://` is PostgreSQL, for several replicas',
  }),
  databaseConnections: wholeNumber(
    { least: 2, most: 1_000 },
    {
      name: 'DATABASE_CONNECTIONS',
      default: '10',
      means:
        'connections to PostgreSQL of one server, for all purposes together; a command has at most two. If PostgreSQL refuses a further one, requests wait for those that are open',
    },
  ),
  redisUrl: redisUrl({
    name: 'REDIS_URL',
    default: '',
    means:
      'Redis, in which several replicas share rate limits, quotas and answers of the VAT registry',
  }),
  tedbUrl: httpUrl({
    name: 'TEDB_URL',
    default: 'https://ec.europa.eu/taxation_customs/tedb/ws/',
    means: 'full URL of the SOAP endpoint of TEDB, the VAT rates',
  }),
  ecbUrl: folderUrl({
    name: 'ECB_URL',
    default: 'https://www.ecb.europa.eu/stats/eurofxref/',
    means: 'folder of the ECB’s `eurofxref-daily.xml`, `-hist-90d.xml` and `-hist.xml`',
  }),
  ...bankOptions,
  viesUrl: httpUrl({
    name: 'VIES_URL',
    default: 'https://ec.europa.eu/taxation_customs/vies/services/checkVatService',
    means: 'full URL of the SOAP endpoint of VIES, the VAT numbers',
  }),
  viesTimeoutMs: wholeNumber(
    { least: 100, most: 60_000 },
    {
      name: 'VIES_TIMEOUT_MS',
      default: '10000',
      means:
        'hard timeout of a VAT check in milliseconds, from the arrival of the request to its answer',
    },
  ),
  viesBackgroundPerSecond: wholeNumber(
    { least: 1, most: 100 },
    {
      name: 'VIES_BACKGROUND_PER_SECOND',
      default: '5',
      means:
        'attempts of stored VAT checks that no caller waits for, per second, of all Member States and replicas together; of one Member State at most 2',
    },
  ),
  viesCallsPerDay: requestLimit({
    name: 'VIES_CALLS_PER_DAY',
    default: '20000',
    means:
      'the same attempts per day (UTC), of all Member States and replicas together; what does not fit waits for the next day. Until 18:00 UTC a key with many pending checks has a share of it. Calls that a caller waits for are not refused by it, but a key has a quarter of it for them, unless it has a number of its own',
  }),
  viesRequester: requesterOption({
    name: 'VIES_REQUESTER',
    default: '',
    means:
      'the VAT number on whose behalf stored VAT checks are made, so that they get a consultation number; a key may have its own. It is the name of REQUESTERS with one number',
  }),
  ...registryOptions,
  checksRetentionDays: wholeNumber(
    { least: 0, most: 36_500 },
    {
      name: 'CHECKS_RETENTION_DAYS',
      default: '4110',
      means:
        'days until stored VAT checks are deleted with their evidence: ten years from the end of the year, as for records of OSS; 0 keeps them permanently',
    },
  ),
  eventsRetentionDays: wholeNumber(
    { least: 0, most: 36_500 },
    {
      name: 'EVENTS_RETENTION_DAYS',
      default: '90',
      means:
        'days until events are deleted from the event log (`GET /events`), and at least until their webhook deliveries are; 0 keeps them permanently',
    },
  ),
  contact: contactOption({
    name: 'CONTACT',
    default: '',
    means:
      'your mail address or URL, sent to TEDB, the ECB, VIES and the national banks in the `User-Agent`, so that they can write to you instead of blocking you',
  }),
  flagCdnUrl: folderUrl({
    name: 'FLAG_CDN_URL',
    default: 'https://flagcdn.com',
    means: 'base address of the flags; written into each snapshot when it is published',
  }),
  httpsProxy: inLowerCaseToo(
    proxyUrl({
      name: 'HTTPS_PROXY',
      default: '',
      means: 'the proxy on the way to upstreams with `https://` addresses; also `https_proxy`',
    }),
  ),
  httpProxy: inLowerCaseToo(
    proxyUrl({
      name: 'HTTP_PROXY',
      default: '',
      means: 'the proxy on the way to upstreams with `http://` addresses; also `http_proxy`',
    }),
  ),
  noProxy: inLowerCaseToo(
    hostList({
      name: 'NO_PROXY',
      default: '',
      means: 'upstreams that are reached without these proxies; also `no_proxy`',
    }),
  ),
  rateLimitPerMinute: requestLimit({
    name: 'RATE_LIMIT_PER_MINUTE',
    default: '600',
    means: 'requests in a window of 60 seconds, for a key without a rate limit of its own',
  }),
  quotaPerMonth: requestLimit({
    name: 'QUOTA_PER_MONTH',
    default: '100000',
    means: 'requests in a calendar month (UTC), for a key without a quota of its own',
  }),
  failedAuthPerMinute: requestLimit({
    name: 'FAILED_AUTH_PER_MINUTE',
    default: '600',
    means:
      'requests without a valid key, or that cannot be read, in a window of 60 seconds from one address; further ones get 429 instead of 401, and a valid key always passes',
  }),
  trustedProxies: networkList({
    name: 'TRUSTED_PROXIES',
    default: '',
    means: 'networks of the proxies in front, whose `X-Forwarded-For` is trusted',
  }),
  maxConnections: wholeNumber(
    { least: 10, most: 1_000_000 },
    {
      name: 'MAX_CONNECTIONS',
      default: '10000',
      means:
        'connections to the API at the same time; a new one replaces the oldest without a valid key, or the one that has been idle longest. Fewer if the process may not open that many files',
    },
  ),
  gate: oneOf(['hold', 'warn'], {
    name: 'GATE',
    default: 'hold',
    means:
      '`hold` keeps an implausible snapshot of VAT rates or exchange rates for an operator, `warn` publishes it with a warning',
  }),
  ratesGate: oneOf(['hold', 'warn'], { ...formerGate, name: 'RATES_GATE' }),
  fxGate: oneOf(['hold', 'warn'], { ...formerGate, name: 'FX_GATE' }),
  jobs: switchOption({
    name: 'JOBS',
    default: 'on',
    means:
      '`off` makes a process that answers requests, fetches nothing by itself, and makes no background attempts of stored checks and watches',
  }),
  delivery: switchOption({
    name: 'DELIVERY',
    default: 'on',
    means: '`off` makes a process that delivers no webhooks',
  }),
  webhookRetrySchedule: secondsList({
    name: 'WEBHOOK_RETRY_SCHEDULE',
    default: '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    means: 'seconds to wait before each attempt of a delivery, the first one included',
  }),
  webhookAllowHttp: switchOption({
    name: 'WEBHOOK_ALLOW_HTTP',
    default: 'off',
    means: '`on` lets receivers have http:// addresses as well',
  }),
  webhookAllowPorts: portList({
    name: 'WEBHOOK_ALLOW_PORTS',
    default: '443,8443',
    means: 'ports that receivers may have',
  }),
  webhookAllowCidrs: cidrList({
    name: 'WEBHOOK_ALLOW_CIDRS',
    default: '',
    means: 'networks that receivers may be in although they are not public',
  }),
  webhookDenyCidrs: cidrList({
    name: 'WEBHOOK_DENY_CIDRS',
    default: '',
    means:
      "networks that receivers may not be in although they look public, such as your network's own NAT64 prefix; wins over WEBHOOK_ALLOW_CIDRS",
  }),
  webhookProxy: proxyUrl({
    name: 'WEBHOOK_PROXY',
    default: '',
    means:
      'the proxy on the way to receivers. It resolves their names, so it has to refuse private addresses itself (docs/operating.md)',
  }),
  secretKey: secretKeyOption({
    name: 'SECRET_KEY',
    default: '',
    means:
      'encrypts signing secrets of webhooks and the keys that sign evidence at rest; required with PostgreSQL. Without it a key is made in a file beside the embedded database; keep that file with its backups',
  }),
  secretKeyNext: secretKeyOption({
    name: 'SECRET_KEY_NEXT',
    default: '',
    means:
      'the next key, set only while `secrets rotate` encrypts stored secrets with it instead of with `SECRET_KEY`',
  }),
  corsOrigins: originList({
    name: 'CORS_ORIGINS',
    default: '',
    means: 'web origins whose pages may call the API',
  }),
  publicUrl: publicUrlOption({
    name: 'PUBLIC_URL',
    default: '',
    means:
      'the address under which callers see the API, with its path if there is one: `https://tax.example.com/vatfx`. Links have the path; requests are answered with it and without it',
  }),
  logLevel: oneOf(logLevels, {
    name: 'LOG_LEVEL',
    default: 'info',
    means: 'JSON lines, or readable text on a terminal',
  }),
} as const satisfies Record<string, Option<unknown>>;

export type OptionKey = keyof typeof options;

/** The effective settings. */
export type Config = {
  readonly [Key in OptionKey]: (typeof options)[Key] extends Option<infer T> ? T : never;
};
