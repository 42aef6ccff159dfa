import { type BankName, bankNames } from '../../platform/publication/data-set-kinds.ts';
import { logRequest, sendScripted, type Simulator, transportOf } from '../upstreams.ts';
import { bankFacts } from './bank-simulators.ts';

/** The national banks as upstreams. */
export const bankUpstreams = bankNames.map((name) => ({
  name,
  setting: `${name}Url` as const,
  variable: `${name.toUpperCase() as Uppercase<BankName>}_URL` as const,
  path: `/${name}/`,
  methods: ['GET'] as const,
  served: bankFacts[name].served,
  handle: handleBank(name),
}));

/** Logs a request to a national bank and answers it as scripted. */
function handleBank(name: BankName): Simulator['handle'] {
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
