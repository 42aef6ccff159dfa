import {
  headerOf,
  logRequest,
  sendScripted,
  transportOf,
  type UpstreamCall,
  type Upstreams,
} from '../upstreams.ts';
import { ecbPath } from './simulator.ts';

/** Logs a request for a file of the ECB and answers it as scripted. */
export async function handleEcb(upstreams: Upstreams, call: UpstreamCall): Promise<void> {
  const { scenario, ecb } = upstreams;
  const { request, response, path } = call;
  const { latencyMs } = scenario.state.ecb;
  const fault = scenario.takeEcbFault();
  const transport = transportOf(fault);
  const file = path.slice(ecbPath.length);

  // A fault needs a body that is not compressed: a 304 or gzip would hide it.
  const hasFault = transport !== 'none';
  const answer = ecb.answer(
    {
      file,
      ifModifiedSince: hasFault ? undefined : headerOf(request, 'if-modified-since'),
      acceptsGzip: !hasFault && /\bgzip\b/.test(headerOf(request, 'accept-encoding') ?? ''),
    },
    fault,
  );
  const { status } = answer;
  logRequest(upstreams, request, { upstream: 'ecb', status, fault, file, codes: [] });
  await sendScripted(upstreams, response, { answer, fault: transport, latencyMs });
}
