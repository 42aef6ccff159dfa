import type { Answer } from './answer.ts';

/** The target of a redirect; the sandbox serves {@link sorryPage} there. */
export const sorryPath = '/sorry';

/** The page of an interruption, with status 200 like the Commission's page. */
export const sorryPage = makePage(200, 'Sorry', 'This service is interrupted for maintenance.');

export const movedPage = makePage(302, '302', 'The document has moved.', { Location: sorryPath });

/** An HTML page instead of the document; it is not well-formed XML. */
export function makePage(
  status: number,
  title: string,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const body =
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">' +
    `<title>${title}</title></head><body><h1>${title}</h1><p>${sentence}<br></body></html>\n`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body,
  };
}
