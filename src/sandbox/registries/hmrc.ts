import { randomBytes, randomInt } from 'node:crypto';
import type { RegistriesState } from '../scenario/registry-script.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Answer } from '../transport/answer.ts';
import { mockNumbers } from './hmrc-numbers.ts';

const lookup = /^\/organisations\/vat\/check-vat-number\/lookup\/([^/]+)(?:\/([^/]+))?$/;
const version = 'application/vnd.hmrc.2.0+json';
const vrn = /^(?:[0-9]{9}|[0-9]{12})$/;

/** The contract's own example. */
const example = {
  number: '553557881',
  name: 'Credite Sberger Donal Inc.',
  address: { line1: '131B Barton Hamlet', postcode: 'SW97 5CK', countryCode: 'GB' },
};

/** A request to HMRC, its path without that of the simulator. */
export type HmrcRequest = {
  readonly method: string;
  readonly path: string;
  readonly accept: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
};

/** HMRC's service of tokens and its check of VAT numbers, version 2.0, in their wire forms. */
export class HmrcSimulator {
  readonly #scenario: Scenario;
  /** The moments at which tokens were issued and end, on the sandbox's clock. */
  readonly #tokens = new Map<string, { readonly issuedAt: number; readonly endsAt: number }>();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  answer(request: HmrcRequest): Answer {
    const { hmrc } = this.#scenario.state.registries;
    if (request.path === '/oauth/token') return this.#issue(request, hmrc);
    if (hmrc.api === 'down') return error(503, 'SERVER_ERROR', 'Service unavailable');
    if (hmrc.throttled) return error(429, 'MESSAGE_THROTTLED_OUT', 'Too many requests');
    const [, target, requester] = lookup.exec(request.path) ?? [];
    if (target === undefined || request.method !== 'GET' || request.accept !== version) {
      const text = 'A resource with the name in the request can not be found in the API';
      return error(404, 'MATCHING_RESOURCE_NOT_FOUND', text);
    }
    if (!this.#accepts(request.authorization, hmrc)) {
      return error(401, 'INVALID_CREDENTIALS', 'Invalid Authentication information provided');
    }
    return this.#lookUp(target, requester, hmrc);
  }

  #issue({ method, body }: HmrcRequest, hmrc: RegistriesState['hmrc']): Answer {
    if (hmrc.tokens === 'down') return json(503, { error: 'server_error' });
    const form = new URLSearchParams(body);
    const client = form.get('client_id') ?? '';
    const isWhole =
      method === 'POST' &&
      form.get('grant_type') === 'client_credentials' &&
      form.get('scope') === 'read:vat' &&
      (form.get('client_secret') ?? '') !== '';
    if (!isWhole) return json(400, { error: 'invalid_request' });
    if (client === '' || client === 'refused') {
      const error_description = 'invalid client id or secret';
      return json(401, { error: 'invalid_client', error_description });
    }
    const token = randomBytes(16).toString('hex');
    const issuedAt = this.#scenario.clock.now();
    this.#tokens.set(token, { issuedAt, endsAt: issuedAt + hmrc.tokenSeconds * 1_000 });
    const { tokenSeconds: expires_in } = hmrc;
    return json(200, { access_token: token, token_type: 'bearer', expires_in, scope: 'read:vat' });
  }

  #accepts(authorization: string | undefined, { tokensSince }: RegistriesState['hmrc']): boolean {
    const token = this.#tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
    if (token === undefined) return false;
    return token.issuedAt > tokensSince && this.#scenario.clock.now() < token.endsAt;
  }

  #lookUp(target: string, requester: string | undefined, hmrc: RegistriesState['hmrc']): Answer {
    const malformed = 'Vrn parameters should be 9 or 12 digits';
    const areMalformed = [!vrn.test(target), requester !== undefined && !vrn.test(requester)];
    if (areMalformed[0] === true && areMalformed[1] === true) {
      const text = `Invalid targetVrn and requesterVrn - ${malformed}`;
      return error(400, 'INVALID_REQUEST', text);
    }
    if (areMalformed[0] === true) {
      return error(400, 'INVALID_REQUEST', `Invalid targetVrn - ${malformed}`);
    }
    if (areMalformed[1] === true) {
      return error(400, 'INVALID_REQUEST', `Invalid requesterVrn - ${malformed}`);
    }
    const notFound = error(404, 'NOT_FOUND', 'targetVrn does not match a registered company');
    if (hmrc.backEnd === 'down') {
      const failed = error(500, 'INTERNAL_SERVER_ERROR', 'Internal server error');
      return requester === undefined ? notFound : failed;
    }
    if (!isRegistered(target, hmrc)) return notFound;
    if (requester !== undefined && !isRegistered(requester, hmrc)) {
      return error(403, 'INVALID_REQUEST', 'requesterVrn does not match a registered company');
    }
    const found = { target: toTarget(target), processingDate: printMoment(this.#scenario) };
    if (requester === undefined) return json(200, found);
    return json(200, { ...found, requester, consultationNumber: consultationNumber() });
  }
}

function isRegistered(number: string, { register, deregister }: RegistriesState['hmrc']): boolean {
  if (deregister.includes(number)) return false;
  return mockNumbers.has(number) || register.includes(number);
}

function toTarget(number: string): object {
  if (number === example.number) {
    return { name: example.name, vatNumber: number, address: example.address };
  }
  const address = { line1: `${Number(number.slice(-2)) + 1} Example Street`, countryCode: 'GB' };
  return { name: `Mock Trader ${number.slice(-4)} Ltd`, vatNumber: number, address };
}

/** The moment in London, with its offset and without a fraction. */
function printMoment({ clock }: Scenario): string {
  const at = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(
    'Europe/London',
  );
  return at.toString({ smallestUnit: 'second', timeZoneName: 'never' });
}

/** Nine letters of both cases, as the public server of HMRC makes them. */
function consultationNumber(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from({ length: 9 }, () => letters.charAt(randomInt(letters.length))).join('');
}

function error(status: number, code: string, message: string): Answer {
  return json(status, { code, message });
}

function json(status: number, body: object): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
