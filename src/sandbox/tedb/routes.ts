import {
  headerOf,
  logRequest,
  sendScripted,
  transportOf,
  type UpstreamCall,
  type Upstreams,
} from '../upstreams.ts';

/** Logs a request to TEDB and answers it as scripted. */
export async function handleTedb(upstreams: Upstreams, call: UpstreamCall): Promise<void> {
  const { scenario, tedb } = upstreams;
  const { request, response, body } = call;
  const { latencyMs } = scenario.state.tedb;
  const fault = scenario.takeTedbFault();
  const { answer, requestedDate, codes } = tedb.answer(
    headerOf(request, 'soapaction'),
    body,
    fault,
  );
  const { status } = answer;
  logRequest(upstreams, request, { upstream: 'tedb', status, fault, requestedDate, codes });
  await sendScripted(upstreams, response, { answer, fault: transportOf(fault), latencyMs });
}
