import type { RegistryService } from '../registry-service.ts';
import { bzst as registry } from './bzst.ts';

export const bzst: RegistryService = {
  registry,
  urlOf: ({ bzstUrl }) => bzstUrl,
  urlVariable: 'BZST_URL',
  // The pair of numbers with which the office tests.
  ownQuestion: () => ({
    vatNumber: { registryCode: 'AT', number: 'U12345678' },
    requester: { registryCode: 'DE', number: '123456789' },
    trader: {},
  }),
  advice: { number: 'check BZST_URL: the office’s test number is registered' },
};
