import { describe, expect, it } from 'vitest';
import {
  readFields,
  readNewSubscription,
  readOverlapHours,
  readSubscriptionChange,
} from './input.ts';

const policy = { allowHttp: false, allowPorts: [443, 8443] };
const url = 'https://shop.example/hook';

const invalid = (field: string, expected: string | undefined) => ({
  kind: 'invalid',
  field,
  expected,
});
const aList = 'a list of rates.changed';
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

    expect(read).toEqual({
      kind: 'read',
      value: { url: new URL(url), events: ['rates.changed'], description: null },
    });
  });

  it('reads all fields', () => {
    const body = { url: 'https://a.example:8443', events: ['rates.changed'], description: 'ERP' };

    expect(readNewSubscription(body, policy)).toEqual({
      kind: 'read',
      value: {
        url: new URL('https://a.example:8443/'),
        events: ['rates.changed'],
        description: 'ERP',
      },
    });
  });

  it('reads an event that is named twice once', () => {
    const events = ['rates.changed', 'rates.changed'];

    expect(readNewSubscription({ url, events }, policy)).toMatchObject({
      value: { events: ['rates.changed'] },
    });
  });

  it.each([
    ['null', null],
    ['empty', ''],
    ['as long as allowed', 'x'.repeat(500)],
  ])('reads a description that is %s', (_what, description) => {
    expect(readNewSubscription({ url, description }, policy)).toMatchObject({
      kind: 'read',
      value: { description },
    });
  });

  it.each(wrongFields)('refuses %s', (_what, fields, field, expected) => {
    expect(readNewSubscription({ url, ...fields }, policy)).toEqual(invalid(field, expected));
  });

  it.each([...noObjects, ['null', null]])('refuses a body that is %s', (_what, body) => {
    expect(readNewSubscription(body, policy)).toEqual(invalid('body', 'a JSON object'));
  });

  it('refuses a body without a url', () => {
    expect(readNewSubscription({ events: ['rates.changed'] }, policy)).toEqual(
      invalid('url', 'a URL'),
    );
  });

  it.each(['status', 'id', 'secret', 'disabledReason', 'keyId', 'Url', '', '__proto__'])(
    'refuses the unknown field "%s"',
    (name) => {
      const body: unknown = JSON.parse(`{"url":"${url}","${name}":1}`);

      expect(readNewSubscription(body, policy)).toEqual(invalid(name, undefined));
    },
  );

  it('names the first wrong field, in the order url, events, description', () => {
    const fields = { description: 1, events: 1, url: 1 };

    expect(readNewSubscription(fields, policy)).toMatchObject({ field: 'url' });
    expect(readNewSubscription({ ...fields, url }, policy)).toMatchObject({ field: 'events' });
  });

  it('applies the policy for URLs', () => {
    const http = { allowHttp: true, allowPorts: [] };

    expect(readNewSubscription({ url: 'http://shop.example' }, http)).toMatchObject({
      kind: 'read',
    });
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
    expect(readSubscriptionChange(body, policy)).toEqual({ kind: 'read', value });
  });

  it.each(wrongFields)('refuses %s', (_what, fields, field, expected) => {
    expect(readSubscriptionChange(fields, policy)).toEqual(invalid(field, expected));
  });

  it.each([
    ['null', null],
    ['true', true],
    ['another word', 'paused'],
    ['another case', 'Enabled'],
    ['a list', ['enabled']],
    ['empty', ''],
  ])('refuses a status that is %s', (_what, status) => {
    expect(readSubscriptionChange({ description: 'ERP', status }, policy)).toEqual(
      invalid('status', 'enabled or disabled'),
    );
  });

  it.each([...noObjects, ['null', null]])('refuses a body that is %s', (_what, body) => {
    expect(readSubscriptionChange(body, policy)).toEqual(invalid('body', 'a JSON object'));
  });

  it('refuses a body that changes nothing', () => {
    expect(readSubscriptionChange({}, policy)).toEqual(
      invalid('body', 'some of url, events, description, status'),
    );
  });

  it.each(['id', 'secret', 'disabledReason', 'createdAt', '__proto__', 'constructor'])(
    'refuses the unknown field "%s"',
    (name) => {
      const body: unknown = JSON.parse(`{"status":"enabled","${name}":{}}`);

      expect(readSubscriptionChange(body, policy)).toEqual(invalid(name, undefined));
    },
  );
});

describe('readOverlapHours (contract C27)', () => {
  it.each([
    ['no body', undefined],
    ['an empty object', {}],
  ])('reads %s as 24 hours', (_what, body) => {
    expect(readOverlapHours(body)).toEqual({ kind: 'read', value: 24 });
  });

  it.each([0, 1, 24, 168])('reads %i', (overlapHours) => {
    expect(readOverlapHours({ overlapHours })).toEqual({ kind: 'read', value: overlapHours });
  });

  it.each([-1, 169, 0.5, 1e21, '24', '', null, true, [24], {}])('refuses %j', (overlapHours) => {
    expect(readOverlapHours({ overlapHours })).toEqual(
      invalid('overlapHours', 'a whole number from 0 to 168'),
    );
  });

  it.each([...noObjects.slice(1), ['null', null]])('refuses a body that is %s', (_what, body) => {
    expect(readOverlapHours(body)).toEqual(invalid('body', 'a JSON object'));
  });

  it('refuses an unknown field', () => {
    expect(readOverlapHours({ hours: 24 })).toEqual(invalid('hours', undefined));
  });
});

describe('readFields', () => {
  it('names the first unknown field', () => {
    expect(readFields({ a: 1, z: 1, y: 1 }, ['a', 'b'])).toEqual(invalid('z', undefined));
  });
});
