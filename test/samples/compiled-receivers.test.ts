import { compiledLanguages } from './support/languages.ts';
import { describeReceivers } from './support/receivers.ts';

describeReceivers(compiledLanguages);
