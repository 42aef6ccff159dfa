import { describe, expect, it } from 'vitest';
import { invalidField, unknownField } from '../../platform/http/responses/api-errors.ts';
import { subscribableTypes } from '../../events/event-types.ts';
import { readNewSubscription, readOverlapHours, readSubscriptionChange } from './input.ts';

const policy = { allowHttp: false, allowPorts: [443, 8443] };
const url = 'https://shop.example/hook';

const aList = `a list of ${subscribableTypes.join(', ')}`;
const aDescription = 'at most 500 characters, or null';

/** Fields that POST and PATCH refuse. */
const wrongFields: readonly [what: string, fields: object, field: string, expected: string][] = [
  ['a url that is a number', { url: 1 }, 'url', 'an https URL'],
  ['a url that is null', { url: null }, 'url', 'an https URL'],
  ['a url that is a list', { url: [url] }, 'url', 'an https URL'],
  ['a url over http', { url: 'http://shop.example/' }, 'url', 'an https URL'],
  ['a url of another port', { url: 'https://shop.example:1/' }, 'url', 'a port among 443, 8443'],
  ['events that are null', { events: null }, 'events', aList],
  ['events that are a text', { events: 'rates.changed' }, 'events', aList],
  ['events that are an object', { events: { 0: 'rates.changed', length: 1 } }, 'events', aList],
  ['no events', { events: [] }, 'events', aList],
  ['an unknown event', { events: ['fx.changed'] }, 'events', aList],
  ['an unknown event beside a known', { events: ['rates.changed', 'x'] }, 'events', aList],
  ['the event of a test', { events: ['webhook.test'] }, 'events', aList],
  ['an event in a list', { events: [['rates.changed']] }, 'events', aList],
  ['a name of every object', { events: ['toString'] }, 'events', aList],
  [
    'a description of 501 characters',
    { description: 'x'.repeat(501) },
    'description',
    aDescription,
  ],
  ['a description that is a number', { description: 1 }, 'description', aDescription],
  ['a description that is false', { description: false }, 'description', aDescription],
  ['a description that is a list', { description: [] }, 'description', aDescription],
  ['a description that is an object', { description: {} }, 'description', aDescription],
];

const noObjects: readonly [what: string, body: unknown][] = [
  ['nothing', undefined],
  ['a list', [{ url }]],
  ['an empty list', []],
  ['a text', url],
  ['an empty text', ''],
  ['false', false],
  ['a number', 1],
  ['true', true],
];

describe('readNewSubscription (contract C27)', () => {
  it('reads a url alone as all default events and no description', () => {
    const read = readNewSubscription({ url }, policy);

    expect(read).toEqual({ url: new URL(url), events: ['rates.changed'], description: null });
  });

  it('reads all fields', () => {
    const body = { url: 'https://a.example:8443', events: ['rates.changed'], description: 'ERP' };

    expect(readNewSubscription(body, policy)).toEqual({
      url: new URL('https://a.example:8443/'),
      events: ['rates.changed'],
      description: 'ERP',
    });
  });

  it('reads an event that is named twice once', () => {
    const events = ['rates.changed', 'rates.changed'];

    expect(readNewSubscription({ url, events }, policy)).toMatchObject({
      events: ['rates.changed'],
    });
  });

  it.each([
    ['null', null],
    ['empty', ''],
    ['as long as allowed', 'x'.repeat(500)],
  ])('reads a description that is %s', (_what, description) => {
    expect(readNewSubscription({ url, description }, policy)).toMatchObject({ description });
  });

  it.each(wrongFields)('refuses %s', (_what, fields, field, expected) => {
    expect(() => readNewSubscription({ url, ...fields }, policy)).toThrow(
      invalidField(field, expected),
    );
  });

  it.each([...noObjects, ['null', null]])('refuses a body that is %s', (_what, body) => {
    expect(() => readNewSubscription(body, policy)).toThrow(invalidField('body', 'a JSON object'));
  });

  it('refuses a body without a url', () => {
    expect(() => readNewSubscription({ events: ['rates.changed'] }, policy)).toThrow(
      invalidField('url', 'a URL'),
    );
  });

  it.each(['status', 'id', 'secret', 'disabledReason', 'keyId', 'Url', '', '__proto__'])(
    'refuses the unknown field "%s"',
    (name) => {
      const body: unknown = JSON.parse(`{"url":"${url}","${name}":1}`);

      expect(() => readNewSubscription(body, policy)).toThrow(unknownField(name));
    },
  );

  it('names the first wrong field, in the order url, events, description', () => {
    const fields = { description: 1, events: 1, url: 1 };

    expect(() => readNewSubscription(fields, policy)).toThrow("invalid 'url'");
    expect(() => readNewSubscription({ ...fields, url }, policy)).toThrow("invalid 'events'");
  });

  it('applies the policy for URLs', () => {
    const http = { allowHttp: true, allowPorts: [] };

    expect(readNewSubscription({ url: 'http://shop.example' }, http).url.protocol).toBe('http:');
  });
});

describe('readSubscriptionChange (contract C27)', () => {
  it.each<[what: string, body: object, value: object]>([
    ['a url', { url }, { url: new URL(url) }],
    ['events', { events: ['rates.changed'] }, { events: ['rates.changed'] }],
    ['a description', { description: 'ERP' }, { description: 'ERP' }],
    ['the removal of the description', { description: null }, { description: null }],
    ['enabling', { status: 'enabled' }, { status: 'enabled' }],
    ['disabling', { status: 'disabled' }, { status: 'disabled' }],
    [
      'all fields together',
      { status: 'disabled', description: '', events: ['rates.changed'], url },
      { status: 'disabled', description: '', events: ['rates.changed'], url: new URL(url) },
    ],
  ])('reads %s and nothing else', (_what, body, value) => {
    expect(readSubscriptionChange(body, policy)).toEqual(value);
  });

  it.each(wrongFields)('refuses %s', (_what, fields, field, expected) => {
    expect(() => readSubscriptionChange(fields, policy)).toThrow(invalidField(field, expected));
  });

  it.each([
    ['null', null],
    ['true', true],
    ['another word', 'paused'],
    ['another case', 'Enabled'],
    ['a list', ['enabled']],
    ['empty', ''],
  ])('refuses a status that is %s', (_what, status) => {
    expect(() => readSubscriptionChange({ description: 'ERP', status }, policy)).toThrow(
      invalidField('status', 'enabled or disabled'),
    );
  });

  it.each([...noObjects, ['null', null]])('refuses a body that is %s', (_what, body) => {
    expect(() => readSubscriptionChange(body, policy)).toThrow(
      invalidField('body', 'a JSON object'),
    );
  });

  it('refuses a body that changes nothing', () => {
    expect(() => readSubscriptionChange({}, policy)).toThrow(
      invalidField('body', 'some of url, events, description, status'),
    );
  });

  it.each(['id', 'secret', 'disabledReason', 'createdAt', '__proto__', 'constructor'])(
    'refuses the unknown field "%s"',
    (name) => {
      const body: unknown = JSON.parse(`{"status":"enabled","${name}":{}}`);

      expect(() => readSubscriptionChange(body, policy)).toThrow(unknownField(name));
    },
  );
});

describe('readOverlapHours (contract C27)', () => {
  it.each([
    ['no body', undefined],
    ['an empty object', {}],
  ])('reads %s as 24 hours', (_what, body) => {
    expect(readOverlapHours(body)).toBe(24);
  });

  it.each([0, 1, 24, 168])('reads %i', (overlapHours) => {
    expect(readOverlapHours({ overlapHours })).toBe(overlapHours);
  });

  it.each([-1, 169, 0.5, 1e21, '24', '', null, true, [24], {}])('refuses %j', (overlapHours) => {
    expect(() => readOverlapHours({ overlapHours })).toThrow(
      invalidField('overlapHours', 'a whole number from 0 to 168'),
    );
  });

  it.each([...noObjects.slice(1), ['null', null]])('refuses a body that is %s', (_what, body) => {
    expect(() => readOverlapHours(body)).toThrow(invalidField('body', 'a JSON object'));
  });

  it('refuses an unknown field', () => {
    expect(() => readOverlapHours({ hours: 24 })).toThrow(unknownField('hours'));
  });
});
