import { refuse } from '../fields/field.ts';
import type { Described, Option } from './option.ts';

/** The first segments of the routes of the API, without what stands behind a dot: `/openapi.json`, `/rates.csv`. */
const routes =
  'rates fx changes territories vatcheck vatchecks vatwatches evidence events webhooks usage status docs openapi ' +
  'console favicon';
const firstSegments: readonly string[] = routes.split(' ');

const expected =
  'an http:// or https:// address such as `https://tax.example.com/vatfx`, without user name, password, query and ' +
  'fragment; its path has letters, digits and `-._~` only';

/** The address under which callers see the API, without a slash at its end; empty for none. */
export function publicUrlOption(option: Described): Option<string> {
  return {
    ...option,
    expected,
    read: (given, at) => {
      if (given === '') return '';
      const text = String(given);
      const read = /^(https?:\/\/[^/?#@\\\s]+)((?:\/[\w.~-]+)*)\/?$/i.exec(text);
      if (read === null || !URL.canParse(text)) return refuse(at, expected);
      const [, origin = '', path = ''] = read;
      const url = new URL(text);
      // A segment of dots, which a browser would remove, with what stands before it.
      if (url.pathname.replace(/\/$/, '') !== path) return refuse(at, expected);
      const first = /[^/.]*/.exec(path.slice(1))?.[0] ?? '';
      if (firstSegments.includes(first)) {
        const reason = 'because routes of the API do: a request could mean both';
        return refuse(at, `a path that does not begin with /${first}, ${reason}`);
      }
      return new URL(origin).origin + path;
    },
  };
}

/** The path of PUBLIC_URL, such as `/vatfx`; empty if it has none or is not set. */
export function pathOf(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}
