import type { Config } from '../platform/config/options.ts';
import type { Timers } from '../platform/time/timers.ts';
import { chooseProxy } from '../platform/upstream/proxy.ts';
import { ofOperator, OwnQuestion } from '../vat-check/calls/own-question.ts';
import type { RegistryAddress } from '../vat-check/look-up/create-vat-checks.ts';
import { registries, type RegistryName } from '../vat-check/registries/registries.ts';
import { ControlStore } from '../vat-check/registries/hmrc/control-store.ts';
import { ControlQuestions } from '../vat-check/registries/hmrc/control.ts';
import { HmrcToken } from '../vat-check/registries/hmrc/token.ts';
import { alone, type Question } from '../vat-check/registries/registry.ts';
import { readControl, requestersOf } from './load-settings.ts';

type Parts = { readonly timers: Timers };

/** The registries that are enabled, VIES first, each with its address and with what only it has. */
export function addressesOf(config: Config, parts: Parts): readonly RegistryAddress[] {
  return config.registries.map((name) => {
    const { url, ...own } = ownParts[name](config, parts);
    return { registry: registries[name], url, proxy: chooseProxy(url, config), ...own };
  });
}

type Own = Omit<RegistryAddress, 'registry' | 'proxy'>;

const ownParts: Readonly<Record<RegistryName, (config: Config, parts: Parts) => Own>> = {
  vies: (config) => ({
    url: config.viesUrl,
    own: new OwnQuestion(ofOperator(requestersOf(config))),
  }),
  hmrc: (config, { timers }) => {
    const { hmrcUrl: url, hmrcClientId: clientId, hmrcClientSecret: clientSecret } = config;
    const control = readControl(config.hmrcControl);
    if (clientSecret === undefined || control === undefined) {
      throw new Error('hmrc is enabled without its settings');
    }
    return {
      url,
      own: new OwnQuestion(alone(control)),
      authorize: (upstream) => new HmrcToken({ upstream, url, clientId, clientSecret, timers }),
      control: ({ db, clock }) =>
        new ControlQuestions({ clock, store: new ControlStore(db), ofOperator: control }),
    };
  },
  bzst: (config) => ({ url: config.bzstUrl, own: new OwnQuestion(testQuestion) }),
};

/** The pair of numbers with which the Bundeszentralamt tests. */
const testQuestion: Question = {
  vatNumber: { registryCode: 'AT', number: 'U12345678' },
  requester: { registryCode: 'DE', number: '123456789' },
  trader: {},
};
