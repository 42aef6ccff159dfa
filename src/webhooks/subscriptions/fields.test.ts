import { describe, expect, it } from 'vitest';
import { invalidField, unknownField } from '../../platform/http/responses/api-errors.ts';
import { readField } from '../../platform/http/routes/read-request.ts';
import { subscribableTypes } from '../../events/event-types.ts';
import { newSubscription, secretRotation, subscriptionChange } from './fields.ts';

const policy = { allowHttp: false, allowPorts: [443, 8443] };
const readNew = (body: unknown) => readField(newSubscription(policy), body);
const readChange = (body: unknown) => readField(subscriptionChange(policy), body);
const readRotation = (body: unknown) => readField(secretRotation, body);
const url = 'https://shop.example/hook';
const aList = `a list of ${subscribableTypes.join(', ')}`;
const aDescription = 'at most 500 characters, or null';

describe('the fields of a subscription, for POST and PATCH (contract C27)', () => {
  it.each<[field: string, wrong: readonly unknown[], expected: string]>([
    ['url', [1, null, [url], 'http://shop.example/'], 'an https URL'],
    ['url', ['https://shop.example:1/'], 'a port among 443, 8443'],
    ['events', [null, 'rates.changed', { 0: 'rates.changed', length: 1 }, []], aList],
    ['events', [['fx.changed'], ['rates.changed', 'x'], ['webhook.test']], aList],
    ['events', [[['rates.changed']], ['toString']], aList],
    ['description', ['x'.repeat(501), 1, false, [], {}], aDescription],
  ])('refuse as %s %j', (field, wrong, expected) => {
    const refusal = invalidField(field, expected);
    for (const value of wrong) {
      const fields = { [field]: value };
      expect(() => readNew({ url, ...fields })).toThrow(refusal);
      expect(() => readChange(fields)).toThrow(refusal);
    }
  });

  it.each(['status', 'id', 'keyId', 'Url', '', '__proto__'])(
    'refuse the unknown field "%s" in a new one',
    (name) => {
      const body: unknown = JSON.parse(`{"url":"${url}","${name}":1}`);

      expect(() => readNew(body)).toThrow(unknownField(name));
    },
  );

  it.each([null, true, 'paused', 'Enabled', ['enabled'], ''])('refuse the status %j', (status) => {
    expect(() => readChange({ description: 'ERP', status })).toThrow(
      invalidField('status', 'enabled or disabled'),
    );
  });

  it('are none in a body that is no object, or changes nothing', () => {
    expect(() => readNew({})).toThrow(invalidField('url', 'a URL'));
    for (const body of [[{ url }], url, false, 1, null]) {
      const refusal = invalidField('body', 'a JSON object');
      expect(() => readNew(body)).toThrow(refusal);
      expect(() => readChange(body)).toThrow(refusal);
      expect(() => readRotation(body)).toThrow(refusal);
    }
    expect(() => readChange({})).toThrow(
      invalidField('body', 'some of url, events, description, headers, status'),
    );
  });
});

describe('the hours of a rotation (contract C27)', () => {
  it('reads whole hours from 0 to 168, and 24 by default', () => {
    for (const overlapHours of [0, 1, 168]) {
      expect(readRotation({ overlapHours })).toEqual({ overlapHours });
    }
    expect(readRotation({})).toEqual({ overlapHours: 24 });
    for (const overlapHours of [-1, 169, 0.5, 1e21, '24', '', null, true, [24], {}]) {
      expect(() => readRotation({ overlapHours })).toThrow(
        invalidField('overlapHours', 'a whole number from 0 to 168'),
      );
    }
  });
});
