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
