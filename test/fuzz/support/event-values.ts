const types = [
  'rates.changed',
  'categories.changed',
  'vat.checked',
  'vat.changed',
  'vat.watch_failed',
];

/** The valid values of the parameters of `GET /events`, apart from `limit`; no value of the fuzz is an issued cursor. */
export const eventRules = {
  after: (text: string): boolean => text === 'now',
  type: (text: string): boolean => text.split(',').every((one) => types.includes(one)),
  waitSeconds: (text: string): boolean => /^[0-9]{1,2}$/.test(text) && Number(text) <= 30,
};

/** Values of the parameters of `GET /events`, and of `waitSeconds` of other routes; `far` is nonsense. */
export function eventValues(far: readonly string[]) {
  return {
    'listEvents waitSeconds': { good: ['0'], bad: ['-1', '31', '1.5', ''], far },
    waitSeconds: { good: ['0'], bad: ['-1', '11', '1.5', ''], far },
    after: { good: ['now'], bad: ['x', '0', 'MjAyNg', '=', 'Now', 'A'.repeat(32)], far },
    type: {
      good: ['rates.changed', 'vat.checked,vat.changed'],
      bad: ['rates.Changed', 'webhook.test', 'rates.changed,', ''],
      far,
    },
  };
}
