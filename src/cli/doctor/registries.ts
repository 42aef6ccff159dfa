import { addressesOf } from '../../composition/registries.ts';
import type { Config } from '../../platform/config/options.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { systemClock } from '../../platform/time/time.ts';
import { systemTimers } from '../../platform/time/timers.ts';
import { Upstream } from '../../platform/upstream/upstream.ts';
import { type OwnAnswer, ownQuestionMs } from '../../vat-check/calls/own-question.ts';
import type { RegistryAddress } from '../../vat-check/look-up/create-vat-checks.ts';
import { RegistryClient } from '../../vat-check/registries/registry-client.ts';
import { type RegistryName, registryServices } from '../../vat-check/registries/registries.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';

/**
 * Asks each enabled registry but VIES the question that the service asks for itself, which is about no customer: HMRC about
 * HMRC_CONTROL, with a token, and the Bundeszentralamt about its test number.
 */
export async function checkRegistries(config: Config): Promise<readonly Finding[]> {
  const all = addressesOf(config, { timers: systemTimers });
  const others = all.filter(({ registry }) => registry.name !== 'vies');
  return Promise.all(others.map(async (address) => ask(config, address)));
}

async function ask(config: Config, address: RegistryAddress): Promise<Finding> {
  const { registry, url, proxy, own, authorize } = address;
  const { name } = registry;
  const upstream = new Upstream(name, {
    clock: systemClock,
    metrics: createMetrics(),
    contact: config.contact,
    proxy,
    isConfidential: true,
  });
  const startedMs = performance.now();
  try {
    const authorization = authorize?.(upstream);
    const options = { url, ...(authorization && { authorization }) };
    const client = new RegistryClient(registry, upstream, options);
    const answer = await own.ask(client, AbortSignal.timeout(2 * ownQuestionMs));
    return judge(name, answer, Math.round(performance.now() - startedMs));
  } finally {
    await upstream.close();
  }
}

function judge(name: RegistryName, { outcome }: OwnAnswer, ms: number): Finding {
  const check = `${name} registry` as const;
  const { urlVariable, advice = {} } = registryServices[name];
  const { credentials = `check ${urlVariable}`, number = `check ${urlVariable}` } = advice;
  const address = `check ${urlVariable}, and DNS, proxies and firewalls on the way to it`;
  switch (outcome.kind) {
    case 'answered':
      return outcome.answer.valid
        ? ok(check, `answered as expected in ${ms} ms`)
        : wrong(check, `its own question was answered with “not registered” in ${ms} ms`, number);
    case 'rejected':
      return wrong(check, 'refuses the number of its own question', number);
    case 'memberStateUnavailable':
    case 'serviceUnavailable':
    case 'timedOut': {
      const wait = 'wait until it is available again; checks are pending meanwhile';
      return warning(check, `unavailable, after ${ms} ms`, wait);
    }
    case 'failed':
      return outcome.failure === 'credentialsRefused'
        ? wrong(check, 'does not accept the application of this service', credentials)
        : wrong(check, `an answer that is none of the registry (${outcome.failure})`, address);
  }
}
