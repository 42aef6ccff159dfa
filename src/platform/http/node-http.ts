/**
 * Lists of `node:http`, for modules that `serve` loads. They do not import them from the module itself, because an
 * import evaluates all its exports. Three of these load Node's `fetch` and WebSocket, which the service does not use:
 * 14 MB of memory and a tenth of the start.
 */
export const { STATUS_CODES } = process.getBuiltinModule('node:http');
