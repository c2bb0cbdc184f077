import { formatTranscript, printCall } from '.';
import { room } from './room.test-support';

describe('printCall', () => {
  it('prints who said what, which tool ran with which outcome, and how the call ended', async () => {
    const { server, agent, clock } = room({ greeting: 'Good evening!' });
    const call = await server.call();
    let printed = '';
    const stop = printCall(call, {
      write: (text) => {
        printed += text;
      },
    });
    await call.user('hours on friday');
    await call.user('pay please');
    await call.user('yes');
    agent.send({ type: 'transfer', id: 't', destination: '+390612345678', mode: 'warm' });
    await clock.settle();
    await call.hangUp();
    stop();
    expect(printed).toBe(
      [
        '      0 ms  link     connected: 3 tools',
        '      0 ms  bot      Good evening! (greeting)',
        '      0 ms  caller   hours on friday',
        '      0 ms  tool     hours("day":"friday") → ok six to eleven (0 ms)',
        '      0 ms  bot      Open six to eleven.',
        '      0 ms  caller   pay please',
        `      0 ms  confirm  pay("amount":5) waits for the caller's yes`,
        '      0 ms  bot      Shall I pay?',
        '      0 ms  caller   yes',
        '      0 ms  tool     pay("amount":5) → ok paid (0 ms, confirmed by the caller)',
        '      0 ms  bot      Paid.',
        '      0 ms  agent    transfer destination: "+390612345678", mode: "warm" → ok (0 ms)',
        '      0 ms  end      call_ended',
        '',
      ].join('\n'),
    );
  });

  it('has colours on a terminal only, and not with NO_COLOR', async () => {
    const call = await room().server.call();
    const print = (isTTY: boolean): string => {
      let text = '';
      printCall(call, { isTTY, write: (more) => (text += more) })();
      return text;
    };
    const { NO_COLOR } = process.env;
    delete process.env.NO_COLOR;
    try {
      expect(print(false)).not.toContain('\u001b[');
      expect(print(true)).toContain('\u001b[');
      process.env.NO_COLOR = '1';
      expect(print(true)).not.toContain('\u001b[');
    } finally {
      delete process.env.NO_COLOR;
      if (NO_COLOR !== undefined) process.env.NO_COLOR = NO_COLOR;
    }
  });

  it('keeps an entry on one line and cuts a long one', async () => {
    const call = await room().server.call();
    await call.user(`hello\n${'x'.repeat(500)}`);
    const lines = formatTranscript(call.transcript, { maxCharacters: 20 }).split('\n');
    expect(lines[1]).toMatch(/caller {3}hello x{13}…$/);
    expect(lines).toHaveLength(call.transcript.length);
  });
});
