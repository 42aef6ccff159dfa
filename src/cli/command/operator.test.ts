import { hostname, userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { operatorOf } from './operator.ts';

const user = `${userInfo().username}@${hostname()}`;

describe('operatorOf', () => {
  it('adds the user who called sudo', () => {
    const { actor } = operatorOf({ env: { SUDO_USER: 'ann' } }, undefined);

    expect(actor).toBe(`${user} (sudo by ann)`);
  });

  it.each(['', 'ann\nroot', 'a'.repeat(65), 'ann)'])('ignores SUDO_USER "%s"', (name) => {
    expect(operatorOf({ env: { SUDO_USER: name } }, undefined).actor).toBe(user);
  });
});
