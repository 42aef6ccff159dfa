import type { Config } from '../../../platform/config/options.ts';
import { registryCodes } from '../../numbers/registry-codes.ts';
import { parseVatNumber, type VatNumber } from '../../numbers/vat-number.ts';
import { alone } from '../registry.ts';
import type { RegistryService } from '../registry-service.ts';
import { ControlStore } from './control-store.ts';
import { ControlQuestions } from './control.ts';
import { hmrc as registry } from './hmrc.ts';
import { HmrcToken } from './token.ts';

export const hmrc: RegistryService = {
  registry,
  urlOf: ({ hmrcUrl }) => hmrcUrl,
  urlVariable: 'HMRC_URL',
  ownQuestion: (config) => alone(controlOf(config)),
  authorize: (
    { hmrcUrl: url, hmrcClientId: clientId, hmrcClientSecret: clientSecret },
    { upstream, timers },
  ) => {
    if (clientSecret === undefined) throw new Error('hmrc is enabled without its secret');
    return new HmrcToken({ upstream, url, clientId, clientSecret, timers });
  },
  control: (config, { db, clock }) =>
    new ControlQuestions({ clock, store: new ControlStore(db), ofOperator: controlOf(config) }),
  advice: {
    credentials:
      'check HMRC_CLIENT_ID and HMRC_CLIENT_SECRET, and that the application at the Developer Hub is subscribed to “Check a UK VAT number” 2.0 for this environment',
    number: 'set HMRC_CONTROL to a number that is registered, such as your own',
  },
};

function controlOf({ hmrcControl }: Config): VatNumber {
  const control = readControl(hmrcControl);
  if (control === undefined) throw new Error('hmrc is enabled without its control number');
  return control;
}

/** The British number of HMRC_CONTROL, with or without its country in front; undefined for another text. */
export function readControl(text: string): VatNumber | undefined {
  const read = parseVatNumber('GB', text, registryCodes);
  return read?.registryCode === 'GB' ? read : undefined;
}
