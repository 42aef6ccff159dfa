import { type Dispatcher, EnvHttpProxyAgent, errors, Pool, ProxyAgent } from 'undici';
import type { Config } from '../config/options.ts';
import type { Secret } from '../config/secret.ts';
import { errorCodeOf } from '../log/errors.ts';
import { skipInterimAnswers } from './interim-answers.ts';

/** A proxy through which requests are sent. */
export type Proxy = {
  /** The setting that names it. */
  readonly variable: 'HTTPS_PROXY' | 'HTTP_PROXY' | 'WEBHOOK_PROXY';
  /** Its address with user and password; shown without both. */
  readonly url: Secret;
};

/** A failure of the proxy, not of the server behind it. The message says what happened and what to do. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
}

/**
 * This machine, which a proxy cannot reach as we do: the sandbox works although HTTP_PROXY is set.
 */
const always = 'localhost,127.0.0.1,[::1]';

/** The proxy for requests to this URL by HTTPS_PROXY, HTTP_PROXY and NO_PROXY; undefined if there is none (rule O2). */
export function chooseProxy(
  url: string,
  { httpsProxy, httpProxy, noProxy }: Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>,
): Proxy | undefined {
  const { protocol, origin } = new URL(url);
  const proxy =
    protocol === 'https:'
      ? ({ variable: 'HTTPS_PROXY', url: httpsProxy } as const)
      : ({ variable: 'HTTP_PROXY', url: httpProxy } as const);
  if (proxy.url === undefined || isDirect(origin, `${always},${noProxy}`)) return undefined;
  return { ...proxy, url: proxy.url };
}

/** Whether undici sends requests to this origin without a proxy, by its own reading of NO_PROXY. */
function isDirect(origin: string, noProxy: string): boolean {
  // Undici does not report its choice, but only its agent without a proxy uses this connector.
  const connect = (): void => {};
  const uri = 'http://proxy.invalid';
  let isChosen = false;
  const agent = new EnvHttpProxyAgent({
    httpProxy: uri,
    httpsProxy: uri,
    noProxy,
    connect,
    factory: (_, options) => {
      isChosen = 'connect' in options && options.connect === connect;
      throw new Error('nothing is sent');
    },
  });
  agent.dispatch({ origin, path: '/', method: 'GET' }, { onResponseError: () => {} });
  return isChosen;
}

/**
 * Connections through a proxy: tunnels (CONNECT) to `https://` servers, and plain requests to the proxy for `http://`
 * servers. Certificates of both the server and an `https://` proxy are verified. Requests fail with `ProxyFailure` if the
 * proxy makes no connection; `connectTimeoutMs` is for each step: to the proxy, its answer, TLS with the server.
 */
export function createProxyAgent(
  proxy: Proxy,
  limits: {
    readonly connections?: number;
    readonly keepAliveMs: number;
    readonly connectTimeoutMs: number;
  },
): ProxyAgent {
  const { connections = null, keepAliveMs, connectTimeoutMs } = limits;
  const uri = new URL(proxy.url.reveal()).href;
  const tls = { rejectUnauthorized: true, allowH2: false, timeout: connectTimeoutMs };
  const pool = { connections, keepAliveTimeout: keepAliveMs, allowH2: false };
  return new ProxyAgent({
    ...pool,
    uri,
    proxyTls: tls,
    requestTls: tls,
    clientFactory: (origin, options: Pool.Options) =>
      new Tunnels(
        origin,
        { ...skippingInterim(options), allowH2: false, headersTimeout: connectTimeoutMs },
        proxy,
      ),
    factory: (origin, options: Pool.Options) => {
      // Undici names the proxy as the origin if it sends plain requests to it.
      const isProxy = new URL(origin).href === uri;
      const { connect } = options;
      const explained =
        isProxy && typeof connect === 'function'
          ? { ...options, connect: explaining(connect, proxy) }
          : options;
      return new Pool(origin, { ...pool, ...skippingInterim(explained) });
    },
  });
}

/** Options with a connector, as undici gives them to a factory, whose connections skip interim answers. */
function skippingInterim(options: Pool.Options): Pool.Options {
  const { connect } = options;
  return typeof connect === 'function'
    ? { ...options, connect: skipInterimAnswers(connect) }
    : options;
}

type Connector = Extract<NonNullable<Pool.Options['connect']>, (...args: never) => unknown>;

/** A connector to the proxy, whose errors are explained. */
function explaining(connect: Connector, proxy: Proxy): Connector {
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(explainFailure(error, proxy), null);
    });
  };
}

/** The connections to a proxy on which tunnels begin. */
class Tunnels extends Pool {
  readonly #proxy: Proxy;

  constructor(origin: URL, options: Pool.Options, proxy: Proxy) {
    super(origin, options);
    this.#proxy = proxy;
  }

  override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const answer = await super.connect(options).catch((error: unknown) => {
      throw explainFailure(error, this.#proxy);
    });
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => {}).destroy();
    throw explainStatus(answer.statusCode, options.path, this.#proxy);
  }
}

/** Host and port of a proxy, without user and password. */
export function nameProxy({ url }: Proxy): string {
  const { hostname, port, protocol } = new URL(url.reveal());
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/**
 * The failure of a request through a proxy, if it is the proxy's; undefined for any other error.
 */
export function findProxyFailure(error: unknown, proxy: Proxy): ProxyFailure | undefined {
  if (error instanceof ProxyFailure) return error;
  // Undici turns this status of a plain request into an error without a class of its own.
  const isRefused = error instanceof Error && error.message.endsWith('(407)');
  return isRefused ? explainStatus(407, '', proxy) : undefined;
}

function explainStatus(status: number, target: string, proxy: Proxy): ProxyFailure {
  const { variable } = proxy;
  const name = `the proxy ${nameProxy(proxy)}`;
  // Tinyproxy answers a wrong password with 401.
  if (status === 407 || status === 401) {
    return new ProxyFailure(
      `${name} asks for a user and a password, or refuses those given (HTTP ${status}); ` +
        `set them in ${variable}: http://user:password@host:port`,
    );
  }
  return new ProxyFailure(
    status >= 500
      ? `${name} has no connection to ${target} (HTTP ${status}); the log of the proxy has the reason`
      : `${name} refuses connections to ${target} (HTTP ${status}); allow them in the rules of the proxy`,
  );
}

function explainFailure(cause: unknown, proxy: Proxy): ProxyFailure {
  const { variable } = proxy;
  const name = nameProxy(proxy);
  const found = errorCodeOf(cause);
  const code = typeof found === 'string' ? found : 'unknown error';
  const fail = (text: string): ProxyFailure => new ProxyFailure(text, { cause });
  if (/CERT|SSL|TLS|SIGNED|UNABLE_TO|EPROTO/.test(code)) {
    return fail(
      `no TLS with the proxy ${name} (${code}); name its authority in NODE_EXTRA_CA_CERTS, ` +
        `or write http:// in ${variable} if the proxy itself has no TLS`,
    );
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return fail(`the proxy ${name} accepted the connection and did not answer; restart it`);
  }
  if (cause instanceof errors.HTTPParserError) {
    return fail(`${name} does not answer as an HTTP proxy; check ${variable}`);
  }
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') {
    return fail(
      `the proxy ${name} closed the connection without an answer; check ${variable} and the log of the proxy`,
    );
  }
  return fail(
    `no connection to the proxy ${name} (${code}); check ${variable}, and whether the proxy runs`,
  );
}
