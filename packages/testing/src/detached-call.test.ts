import { Call } from '@callwright/core';
import { detachedCall, detachedTool } from '.';

class Desk {
  constructor(readonly call: Call) {}
  async bye(): Promise<void> {
    await this.call.end({ say: 'Goodbye!' }).catch(() => this.call.say('Not yet.'));
  }
}

describe('a detached call', () => {
  it('keeps what was ordered through it', async () => {
    const { call, commands } = detachedCall({ from: '+390612345678', agentName: 'luigi' });
    await new Desk(call).bye();
    if (call.can('transfer')) await call.transfer('+390699999999');
    expect(commands).toMatchObject([
      { type: 'end', say: 'Goodbye!' },
      { type: 'transfer', destination: '+390699999999' },
    ]);
    expect(call).toMatchObject({ agentName: 'luigi', state: 'live' });
    expect(call.caller?.from).toBe('+390612345678');
    expect(JSON.stringify(call)).not.toContain('0612345678');
  });

  it('refuses the next command, and no other', async () => {
    const { call, commands, refuseNext } = detachedCall({ transfer: false });
    refuseNext('queue_full');
    await new Desk(call).bye();
    expect(commands.map(({ type }) => type)).toEqual(['end', 'say']);
    expect(call.can('transfer')).toBe(false);
    expect(call.caller).toBeUndefined();
  });
});

describe('a detached tool', () => {
  it('is cancelled as a voice server does it: a read is stopped, a side effect only told', () => {
    const read = detachedTool({ kind: 'read_only' });
    const effect = detachedTool({ name: 'book' });
    read.cancel('interrupted');
    effect.cancel('timeout');
    expect(read.tool.signal.aborted).toBe(true);
    expect(effect.tool).toMatchObject({ name: 'book', kind: 'side_effect', cancelRequested: 'timeout' });
    expect(effect.tool.signal.aborted).toBe(false);
    effect.stop('call_ended');
    expect(effect.tool.signal.reason).toMatchObject({ reason: 'call_ended' });
  });

  it('has a key of its own unless one is given', () => {
    const { call } = detachedCall();
    const first = detachedTool({ call }).tool.idempotencyKey;
    expect(detachedTool({ call }).tool.idempotencyKey).not.toBe(first);
    const { tool } = detachedTool({ call, wireKey: 'abc' });
    expect(tool.idempotencyKey).toBe(`${call.id}:abc`);
  });
});
