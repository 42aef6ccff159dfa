import { shareService } from '../support/start-service.ts';
import { commonLanguages } from './support/languages.ts';
import { describeReceivers } from './support/receivers.ts';

// The example in TypeScript also reads rates and checks a number.
const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

describeReceivers(commonLanguages, () => ({ URL: service().apiUrl, KEY: service().key }));
