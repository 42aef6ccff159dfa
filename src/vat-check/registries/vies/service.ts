import { requestersOf } from '../../numbers/requester.ts';
import { isViesCode, type VatNumber } from '../../numbers/vat-number.ts';
import { alone } from '../registry.ts';
import type { RegistryService } from '../registry-service.ts';
import { vies as registry } from './vies.ts';

export const vies: RegistryService = {
  registry,
  urlOf: ({ viesUrl }) => viesUrl,
  urlVariable: 'VIES_URL',
  // About the operator's own number. A seller outside the Union has one that no Member State knows.
  ownQuestion: (config) => {
    const own = requestersOf(config).find(({ registryCode }) => isViesCode(registryCode));
    return own && alone(own as VatNumber);
  },
};
