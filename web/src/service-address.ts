// Not in the call, where Vite would look for a file with this name.
const script = import.meta.url;

/**
 * The address of the service, without a slash at its end. It has a path if a proxy has the service under one: scripts are
 * in `console/assets` of the service.
 */
export const serviceAddress = new URL('../..', script).href.replace(/\/$/, '');
