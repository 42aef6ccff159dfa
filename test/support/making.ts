import type { StartOptions } from '../../src/platform/database/database.ts';

/** Lets a test make the database that it opens, as a server does. */
export const making: StartOptions = { onMade: () => {} };
