import { hostname, userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { operatorOf } from './operator.ts';

const user = `${userInfo().username}@${hostname()}`;

describe('operatorOf', () => {
  it('names the user and the host', () => {
    expect(operatorOf({ env: {} }, {})).toEqual({ actor: user, reason: null });
  });

  it('adds the user who called sudo', () => {
    const { actor } = operatorOf({ env: { SUDO_USER: 'ann' } }, {});

    expect(actor).toBe(`${user} (sudo by ann)`);
  });

  it.each(['', 'ann\nroot', 'a'.repeat(65), 'ann)'])('ignores SUDO_USER "%s"', (name) => {
    expect(operatorOf({ env: { SUDO_USER: name } }, {}).actor).toBe(user);
  });

  it('keeps the reason without blanks around it', () => {
    expect(operatorOf({ env: {} }, { reason: ' ticket 7: left ' }).reason).toBe('ticket 7: left');
  });

  it.each(['', '  ', 'a\nb', 'a'.repeat(501)])('refuses the reason "%s"', (reason) => {
    expect(() => operatorOf({ env: {} }, { reason })).toThrow('--reason is empty, longer than');
  });
});
