import type { Config } from '../platform/config/options.ts';
import type { Timers } from '../platform/time/timers.ts';
import { chooseProxy } from '../platform/upstream/proxy.ts';
import { OwnQuestion } from '../vat-check/calls/own-question.ts';
import type { RegistryAddress } from '../vat-check/look-up/create-vat-checks.ts';
import { registryServices } from '../vat-check/registries/registries.ts';

/** The registries that are enabled, VIES first, each with its address and with what only it has. */
export function addressesOf(
  config: Config,
  { timers }: { readonly timers: Timers },
): readonly RegistryAddress[] {
  return config.registries.map((name) => {
    const { registry, urlOf, ownQuestion, authorize, control } = registryServices[name];
    const url = urlOf(config);
    return {
      registry,
      url,
      proxy: chooseProxy(url, config),
      own: new OwnQuestion(ownQuestion(config)),
      ...(authorize && { authorize: (upstream) => authorize(config, { upstream, timers }) }),
      ...(control && { control: (parts) => control(config, parts) }),
    };
  });
}
