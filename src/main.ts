/**
 * The start of the program. It imports nothing before these lines, because every later import takes time in which a signal
 * may arrive.
 */
import { enableCompileCache } from 'node:module';
import { isSea } from 'node:sea';

// Node opens a debugger at SIGUSR1, and SIGUSR2 ends the process without a drain. Programs that rotate logs send both.
for (const name of ['SIGUSR1', 'SIGUSR2']) process.on(name, () => {});

// The cache of compiled code makes later starts faster and smaller. An executable contains its own.
if (!isSea()) enableCompileCache();
await import('./cli/program.ts');
