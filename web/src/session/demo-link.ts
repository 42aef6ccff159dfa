import type { ServiceStatus } from '../wire.ts';
import { Api } from './api.ts';
import { keepKey } from './session.ts';

const linkPattern = /^#key=(vfx_\w+)$/;

/**
 * Takes the key of the link that the demo prints, `#key=vfx_…`, and removes it from the address. Browsers do not send this
 * part of an address.
 *
 * The key is kept only if the service says that it is a demo. Otherwise a link could make a person enter customers' numbers
 * with the key of another person, who then reads them.
 */
export async function takeKeyOfLink(): Promise<void> {
  // An address that is pasted into an open tab loads nothing.
  addEventListener('hashchange', () => {
    if (linkPattern.test(location.hash)) location.reload();
  });
  const key = linkPattern.exec(location.hash)?.[1];
  if (key === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  const answered = await new Api(key, () => {}).get<ServiceStatus>('/status');
  if (answered.kind === 'answered' && answered.data.demo) keepKey(key);
}
