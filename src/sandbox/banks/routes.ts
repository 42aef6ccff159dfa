import type { BankName } from '../scenario/bank-script.ts';
import type { Simulator } from '../simulators.ts';
import { logRequest, sendScripted, transportOf } from '../upstreams.ts';

/** Logs a request to a national bank and answers it as scripted. */
export function handleBank(name: BankName): Simulator['handle'] {
  return async (upstreams, { request, response }) => {
    const { scenario } = upstreams;
    const { latencyMs } = scenario.state[name];
    const fault = scenario.takeBankFault(name);
    const target = (request.url ?? '').slice(`/${name}`.length);
    const answer = upstreams.banks[name].answer(target, fault);
    logRequest(upstreams, request, {
      upstream: name,
      status: answer.status,
      fault,
      file: target,
      codes: [],
    });
    await sendScripted(upstreams, response, { answer, fault: transportOf(fault), latencyMs });
  };
}
