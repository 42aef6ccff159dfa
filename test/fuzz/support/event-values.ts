/** Values of the parameters of `GET /events`, good and bad. */

export const waitsForEvents = { good: ['0'], bad: ['-1', '31', '1.5', ''] } as const;

export const eventCursors = {
  good: ['now'],
  bad: ['x', '0', 'MjAyNg', '=', 'Now', 'A'.repeat(32)],
} as const;

export const eventTypes = {
  good: ['rates.changed', 'vat.checked,vat.changed'],
  bad: ['rates.Changed', 'webhook.test', 'rates.changed,', ''],
} as const;
