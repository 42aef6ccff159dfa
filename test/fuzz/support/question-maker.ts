import type { Document, Operation, Part } from '../../openapi/support/document.ts';
import type { Dice } from '../../support/dice.ts';
import { makeBody } from './body-maker.ts';
import type { Credential, Headers } from './credentials.ts';
import { type FuzzQuestion, variantOf } from './question.ts';
import { laws } from './law-values.ts';
import { parameterValues } from './values.ts';
import type { World } from './world.ts';

const methods: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
];
const paths: readonly string[] = [
  '/nowhere',
  '/Rates',
  '/rates.json',
  '/rates/2026-11-20/x',
  '/v1/rates',
  '//rates',
  '/metrics',
  '/ready',
  '/.env',
  '/__proto__',
  '/constructor',
  '/changes/2026-11-20/HU',
  '/vatcheck',
  '/usages',
  '/vatcheck/AT',
  '/vatcheck/AT/U99999901/x',
  '/webhooks/sub_0/secret',
  '/openapi.yaml',
  '/rate',
  '/webhooks/sub_0/deliveries/dlv_0',
  '/fx/range/x',
  '/status/rates',
  '/rates;x=1',
  '/*',
  '/%2e%2e',
];
const types: readonly string[] = [
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'x',
  'text/plain; Charset="UTF8"',
  'application/json; charset=iso-8859-1',
];
/** Headers that must not matter. */
const idle: readonly Headers[] = [
  { accept: 'application/xml' },
  { accept: 'text/html;q=0.9, */*;q=0' },
  { 'accept-encoding': 'gzip, br' },
  { range: 'bytes=0-3' },
  { 'if-modified-since': 'Fri, 20 Nov 2099 00:00:00 GMT' },
  { 'if-match': '"x"' },
  { 'cache-control': 'no-cache' },
  { origin: 'https://shop.example' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-proto': 'https', forwarded: 'for=10.0.0.1' },
  { 'x-request-id': 'mine-is-longer-than-yours' },
  { cookie: 'a=b; a=c' },
  { __proto__x: 'x', constructor: 'y' },
  { 'x-long': 'x'.repeat(4_000) },
  { 'x-odd': 'ÿþ' },
];

/** Makes requests from the document: for each operation valid values, values around the limits, and invalid ones. */
export class QuestionMaker {
  readonly #dice: Dice;
  readonly #world: World;
  readonly #document: Document;
  readonly #operations: readonly Operation[];

  constructor(dice: Dice, world: World, document: Document) {
    this.#dice = dice;
    this.#world = world;
    this.#document = document;
    this.#operations = document.operations;
  }

  make(): FuzzQuestion {
    const dice = this.#dice;
    const credential = this.#credential();
    if (dice.happens(0.04)) return this.#finish({ ...this.#nowhere(), credential });

    const operation = this.#operation();
    const method = dice.happens(0.08) ? dice.pick(methods) : this.#methodOf(operation);
    const ids = Object.fromEntries(
      this.#parameters(operation, 'path')
        .filter((name) => name !== 'deliveryId')
        .map((name) => [name, this.#value(operation, name)]),
    );
    if (operation.id === 'replayDelivery') ids['deliveryId'] = this.#deliveryId(ids['id'] ?? '');
    const body =
      ['GET', 'HEAD'].includes(operation.method) && !dice.happens(0.02)
        ? undefined
        : makeBody(dice, operation.id);
    return this.#finish({
      operation,
      method,
      ids,
      query: this.#query(operation),
      body,
      credential,
    });
  }

  #finish(draft: Omit<FuzzQuestion, 'target' | 'headers' | 'validator'>): FuzzQuestion {
    const dice = this.#dice;
    const query = [...draft.query, ...draft.credential.query];
    const path = draft.operation?.path ?? draft.ids['path'] ?? '/';
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      this.#encode(draft.ids[name] ?? ''),
    );
    const pairs = query.map(([name, value]) => `${this.#encode(name)}=${this.#encode(value)}`);
    let target = pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
    if (dice.happens(0.004)) target += `${pairs.length === 0 ? '?' : '&'}long=${'x'.repeat(8_200)}`;
    const headers = this.#headers(draft);
    const { validator, sent } = this.#validator(variantOf(target, headers));
    return {
      ...draft,
      query,
      target,
      validator,
      headers: { ...headers, ...sent },
    };
  }

  #nowhere(): Pick<FuzzQuestion, 'operation' | 'method' | 'ids' | 'query' | 'body'> {
    const ids = { path: this.#dice.pick(paths) };
    return {
      operation: undefined,
      method: this.#dice.pick(methods),
      ids,
      query: [],
      body: undefined,
    };
  }

  #operation(): Operation {
    const operation = this.#dice.pick(this.#operations);
    // A large public body that never changes.
    const isDull = operation.id === 'getOpenApi' && this.#dice.happens(0.8);
    return isDull ? this.#dice.pick(this.#operations) : operation;
  }

  #methodOf({ method }: Operation): string {
    return method === 'GET' && this.#dice.happens(0.1) ? 'HEAD' : method;
  }

  #parameters(operation: Operation, place: 'path' | 'query'): string[] {
    const all = (operation.part['parameters'] ?? []) as readonly unknown[];
    return all
      .map((one) => this.#document.resolve(one))
      .filter((one: Part) => one['in'] === place)
      .map((one) => String(one['name']));
  }

  #value(operation: Operation, name: string): string {
    const dice = this.#dice;
    const values =
      parameterValues[`${operation.id.replace(/Csv$/, '')} ${name}`] ?? parameterValues[name];
    if (values === undefined) throw new Error(`fuzz: no values for ${operation.id} ${name}`);
    const good = name === 'id' ? this.#ids() : name === 'cursor' ? this.#cursors() : values.good;
    if (good.length > 0 && !dice.happens(0.3)) return dice.pick(good);
    return dice.pick(dice.happens(0.7) ? values.bad : values.far);
  }

  /** Mostly the caller's own subscriptions, sometimes those of another key. */
  #ids(): readonly string[] {
    const own = [...this.#world.subscriptions.keys()];
    return own.length > 0 && !this.#dice.happens(0.15) ? own : this.#world.foreignIds;
  }

  #cursors(): readonly string[] {
    return [...this.#world.subscriptions.values()].flatMap(({ cursor }) => cursor ?? []);
  }

  #deliveryId(id: string): string {
    const own = this.#world.subscriptions.get(id)?.deliveries ?? [];
    const others = [...this.#world.subscriptions.values()].flatMap(({ deliveries }) => deliveries);
    const list = this.#dice.happens(0.8) ? own : others;
    return list.length === 0 ? 'dlv_000000000000000000000000' : this.#dice.pick(list);
  }

  #query(operation: Operation): [string, string][] {
    const dice = this.#dice;
    const names = this.#parameters(operation, 'query');
    // A country and a bank that are picked one by one seldom fit.
    if (operation.id.startsWith('getVatFx') && dice.happens(0.5)) return [...dice.pick(laws)];
    const isNeeded = operation.id.startsWith('getFxRange');
    const pairs = names
      .filter(() => dice.happens(isNeeded ? 0.95 : 0.45))
      .map((name): [string, string] => [name, this.#value(operation, name)]);
    if (names.length > 0 && dice.happens(0.05)) {
      const twice = dice.pick(names);
      pairs.push([twice, this.#value(operation, twice)]);
    }
    // Unknown names, and another spelling of a known one.
    if (dice.happens(0.08)) {
      const name = dice.pick([
        '__proto__',
        'constructor',
        'Since',
        'LIMIT',
        'since[]',
        'limit[0]',
        'x',
        '',
        'é',
      ]);
      pairs.push([name, dice.pick(['1', '', 'x', '2026-11-20', '🦊'])]);
    }
    return pairs;
  }

  /** Escaped as required, or more than required; the meaning is the same. */
  #encode(text: string): string {
    const encoded = encodeURIComponent(text);
    if (!this.#dice.happens(0.05)) return encoded;
    return encoded.replaceAll(/%[0-9A-F]{2}|\w/g, (one) =>
      one.startsWith('%') || this.#dice.happens(0.7) ? one : `%${one.charCodeAt(0).toString(16)}`,
    );
  }

  #credential(): Credential {
    const { good, poor, refused } = this.#world;
    const dice = this.#dice;
    if (dice.happens(0.78)) return good;
    return dice.happens(0.2) ? poor : dice.pick(refused);
  }

  #headers({ body, method }: Pick<FuzzQuestion, 'body' | 'method'>): Headers {
    const dice = this.#dice;
    return {
      ...(body === undefined || dice.happens(0.5) ? {} : { 'content-type': dice.pick(types) }),
      ...(dice.happens(0.1) ? dice.pick(idle) : {}),
      // Refusals of the parser have a body even for HEAD, behind which the connection ends.
      ...(method === 'HEAD' ? {} : this.#refused()),
    };
  }

  #refused(): Headers {
    if (this.#dice.happens(0.003)) return { expect: '200-ok' };
    return this.#dice.happens(0.003) ? { 'x-large': 'x'.repeat(20_000) } : {};
  }

  #validator(variant: string): {
    readonly validator: FuzzQuestion['validator'];
    readonly sent: Headers;
  } {
    const dice = this.#dice;
    if (!dice.happens(0.2)) return { validator: 'none', sent: {} };
    if (dice.happens(0.2)) return { validator: 'any', sent: { 'if-none-match': '*' } };
    const current = this.#world.read.get(variant)?.etag;
    const other = `"${'A'.repeat(27)}"`;
    if (current === undefined || dice.happens(0.3)) {
      const sent = dice.pick([other, `W/${other}`, `${other}, "x"`, '"', 'A', '', '"*"', '"\'"']);
      return { validator: 'none', sent: { 'if-none-match': sent } };
    }
    const sent = dice.pick([
      current,
      `W/${current}`,
      `${other}, ${current}`,
      `${current},${other}`,
    ]);
    return { validator: 'current', sent: { 'if-none-match': sent } };
  }
}
