import {
  headerOf,
  logRequest,
  sendScripted,
  type UpstreamCall,
  type Upstreams,
} from '../upstreams.ts';
import { answerVies } from './simulator.ts';

/** Logs a VAT check, answers it as scripted, and counts it while it is in flight. */
export async function handleVies(upstreams: Upstreams, call: UpstreamCall): Promise<void> {
  const { request, response, body } = call;
  const { answer, check, memberState, fault, latencyMs } = answerVies(upstreams.scenario, {
    contentType: headerOf(request, 'content-type'),
    action: headerOf(request, 'soapaction'),
    body,
  });
  logRequest(upstreams, request, {
    upstream: 'vies',
    status: answer.status,
    fault,
    codes: check === undefined ? [] : [check.countryCode],
    operation: check?.operation,
    vatNumber: check?.vatNumber,
    requester: check?.operation === 'checkVatApprox' ? check.requester : undefined,
  });

  const end = upstreams.requests.vies.begin(memberState ?? 'none');
  const { socket } = request;
  // A caller that hangs up may call again before this response emits `close`.
  socket.once('end', end);
  // The answer to `server-fault` is a SOAP fault already.
  const transport = fault === 'server-fault' ? 'none' : fault;
  await sendScripted(upstreams, response, { answer, fault: transport, latencyMs, dripMs: 1000 });
  socket.off('end', end);
  end();
}
