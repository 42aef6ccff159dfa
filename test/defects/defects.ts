import { accessDefects } from './access.ts';
import { checkDefects } from './checks.ts';
import { dataDefects } from './data.ts';
import type { Defect } from './defect.ts';
import { eventDefects } from './events.ts';
import { upstreamDefects } from './upstreams.ts';
import { webhookDefects } from './webhooks.ts';

/** All planted defects, in the order of the promises that they break. */
export const defects: readonly Defect[] = [
  ...dataDefects,
  ...upstreamDefects,
  ...webhookDefects,
  ...checkDefects,
  ...eventDefects,
  ...accessDefects,
];
