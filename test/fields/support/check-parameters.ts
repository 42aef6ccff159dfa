import type { FieldRow } from './field-row.ts';

const anyId = { accepts: ['x', '1', '../usage', 'a b', 'ſ', '%'], refuses: {} };

/** The parameters of checks, watches, webhooks and events. */
export const checkParameters: readonly FieldRow[] = [
  {
    field: 'query status',
    of: ['listChecks'],
    accepts: ['pending', 'answered', 'rejected', 'expired'],
    refuses: { 'pending, answered, rejected or expired': ['Pending', 'failed', 'pending,expired'] },
  },
  {
    field: 'query status',
    of: ['listDeliveries'],
    accepts: ['pending', 'succeeded', 'failed'],
    refuses: { 'pending, succeeded or failed': ['Failed', 'answered', 'pending,failed'] },
  },
  {
    field: 'query valid',
    accepts: ['true', 'false'],
    refuses: { 'true or false': ['True', '1', '0', 'yes', 'null', 'constructor', '__proto__'] },
  },
  {
    field: 'query vatNumber',
    accepts: ['ESB99999902', 'B99999902', 'b-999.999 02'],
    refuses: { 'a VAT number': ['-', '!', '1'.repeat(100)] },
  },
  ...['reference', 'referencePrefix'].map((name) => ({
    field: `query ${name}`,
    accepts: ['cust_1001', ' ', 'ſ', '😀'.repeat(100)],
    refuses: { 'at most 100 printable characters': ['x'.repeat(101), 'a\nb', '\0'] },
  })),
  {
    field: 'query batchId',
    accepts: [`vb_${'0'.repeat(32)}`],
    refuses: { 'a batchId': ['vb_', `vb_${'0'.repeat(31)}`, `vb_${'A'.repeat(32)}`, 'x'] },
  },
  {
    field: 'query waitSeconds',
    of: ['getCheck'],
    accepts: ['0', '10', '01'],
    refuses: { 'a whole number from 0 to 10': ['11', '-1', '1.5', '1e1', '010', 'x'] },
  },
  {
    field: 'query waitSeconds',
    of: ['listEvents'],
    accepts: ['0', '30'],
    refuses: { 'a whole number from 0 to 30': ['31', '-1', '1.5', '1e1', '030', 'x'] },
    beside: { after: 'now' },
  },
  {
    field: 'query after',
    accepts: ['now'],
    refuses: { 'a cursor of this service': ['Now', 'x', 'A'.repeat(32), '0'] },
  },
  {
    field: 'query type',
    accepts: ['rates.changed', 'vat.watch_failed,vat.changed', 'vat.checked,vat.checked'],
    refuses: {
      'rates.changed, categories.changed, vat.checked, vat.changed, vat.watch_failed, separated by commas':
        ['webhook.test', 'rates', 'rates.changed,', 'rates.changed vat.changed', 'toString'],
    },
  },
  {
    field: 'header Idempotency-Key',
    accepts: ['order-1001', '!', '~'.repeat(100)],
    refuses: { '1 to 100 printable ASCII characters': ['x'.repeat(101), 'é', 'a\tb'] },
  },
  {
    field: 'query registry',
    accepts: ['vies'],
    refuses: { 'vies, hmrc or bzst': ['', 'VIES', 'tedb', 'vies,bzst'] },
  },
  // Read by the handler, after the charge.
  { field: 'path id', ...anyId },
  { field: 'path deliveryId', ...anyId },
  {
    field: 'path country',
    of: ['checkVatNumber', 'putWatch', 'getWatch', 'deleteWatch'],
    accepts: ['ES', 'es', 'Spain', 'ZZ', 'constructor', '__proto__', '\0'],
    refuses: {},
  },
  { field: 'path vat', accepts: ['B99999902', 'b 999', 'x'.repeat(200), '\0'], refuses: {} },
];
