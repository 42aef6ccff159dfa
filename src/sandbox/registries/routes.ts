import {
  headerOf,
  logRequest,
  sendScripted,
  type Simulator,
  transportOf,
  type UpstreamCall,
  type Upstreams,
} from '../upstreams.ts';
import type { Answer } from '../transport/answer.ts';
import { answerBzst } from './bzst.ts';

type RegistryName = 'hmrc' | 'bzst';

const paths = { hmrc: '/registries/hmrc/', bzst: '/registries/bzst/' } as const;

/** The registries other than VIES as upstreams. Their names are not those of banks. */
export const registryUpstreams = [
  {
    name: 'hmrc-registry',
    setting: 'hmrcUrl',
    variable: 'HMRC_URL',
    path: paths.hmrc,
    methods: ['GET', 'POST'],
    served: {
      'organisations/vat/check-vat-number/lookup/{number}':
        'HMRC, the numbers of Great Britain; with a token of /oauth/token',
    },
    handle: handleAs('hmrc', ({ hmrc }, { request, body }, path) =>
      hmrc.answer({
        method: request.method ?? '',
        path,
        accept: headerOf(request, 'accept'),
        authorization: headerOf(request, 'authorization'),
        body,
      }),
    ),
  },
  {
    name: 'bzst-registry',
    setting: 'bzstUrl',
    variable: 'BZST_URL',
    path: paths.bzst,
    methods: ['POST'],
    served: { abfrage: 'the confirmations of the Bundeszentralamt für Steuern' },
    handle: handleAs('bzst', ({ scenario }, { body }) => answerBzst(scenario, body)),
  },
] as const satisfies readonly Simulator[];

/** Logs a request to a registry, without its secrets, and answers it as scripted. */
function handleAs(
  name: RegistryName,
  answerOf: (upstreams: Upstreams, call: UpstreamCall, path: string) => Answer,
): Simulator['handle'] {
  return async (upstreams, call) => {
    const { request, response } = call;
    const { scenario } = upstreams;
    const { latencyMs } = scenario.state.registries[name];
    const path = call.path.slice(paths[name].length - 1);
    const answer = answerOf(upstreams, call, path);
    const fault = scenario.takeRegistryFault(name);
    logRequest(upstreams, request, {
      upstream: `${name}-registry`,
      status: answer.status,
      fault,
      file: path,
      codes: [],
    });
    await sendScripted(upstreams, response, { answer, fault: transportOf(fault), latencyMs });
  };
}
