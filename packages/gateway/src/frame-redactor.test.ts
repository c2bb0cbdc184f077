import type { ToolPlan } from '@callwright/core';
import { planDto, Sensitive } from '@callwright/schema';
import { IsString } from 'class-validator';
import fc from 'fast-check';
import { FrameRedactor } from './frame-redactor';

class Payment {
  @Sensitive() @IsString() card!: string;
  @IsString() note!: string;
}

// A redactor reads nothing of a tool but its arguments.
const tools = new Map([['pay', { plan: { args: planDto(Payment) } as unknown as ToolPlan }]]);
const redactor = () => new FrameRedactor(tools);
const redacted = (frame: object, by = redactor()) => by.redact(JSON.stringify(frame));

const start = (from: string, to = '+390699999999') => ({
  type: 'session.start',
  session_id: '1234567',
  call: {
    carrier: 'twilio',
    carrier_call_id: 'CA1',
    from,
    to,
    pii_redacted: false,
    diverted_from: '+391111',
  },
});

describe('a recorded frame', () => {
  it('has of the caller the carrier alone', () => {
    expect(redacted(start('+390612345678'))).toEqual({
      type: 'session.start',
      session_id: '1234567',
      call: {
        carrier: 'twilio',
        carrier_call_id: '[carrier-call]',
        from: '[caller]',
        to: '[called]',
        pii_redacted: false,
      },
    });
    expect(redacted({ type: 'session.start', session_id: '1' })).toEqual({
      type: 'session.start',
      session_id: '1',
    });
  });

  it.each([
    ['06 1234 5678', '[caller]'],
    ['(0039) 06-123.45678', '([caller]'],
    ['call +390612345678 now', 'call [caller] now'],
    ['my card 4111 1111 1111 1111', 'my card [digits]'],
    ['room 123, at 18:30, for 1234', 'room 123, at 18:30, for 1234'],
    ['ticket 123456', 'ticket 123456'],
    ['ticket 1234567', 'ticket [digits]'],
  ])('says %s as %s', (text, shown) => {
    const by = redactor();
    redacted(start('+390612345678'), by);
    expect(redacted({ type: 'user.text', text }, by)).toEqual({ type: 'user.text', text: shown });
  });

  it('keeps names, the numbers of transfers, and numbers in arguments that are nobody’s secret', () => {
    const by = redactor();
    redacted(start('+390612345678'), by);
    const kept = { type: 'say', id: 'c1234567', re: 12345678, text: 'Hello' };
    expect(redacted(kept, by)).toEqual(kept);
    const transfer = { type: 'transfer', destination: '+390655555555', summary: 'calls from 0612345678' };
    expect(redacted(transfer, by)).toEqual({ ...transfer, summary: 'calls from [caller]' });
    expect(redacted({ type: 'transfer', destination: '+390612345678' }, by)).toMatchObject({
      destination: '[caller]',
    });
    const call = {
      type: 'tool.call',
      name: 'other',
      arguments: { phone: '+393331234567', of: '+390612345678' },
    };
    expect(redacted(call, by)).toMatchObject({ arguments: { phone: '+393331234567', of: '[caller]' } });
  });

  it('is of a known type, or has its size alone', () => {
    expect(redacted({ type: 'caller.update', number: '+390612345678' })).toEqual({
      type: 'unknown',
      bytes: 49,
    });
    expect(redactor().redact('{"type":')).toEqual({ type: 'unreadable', bytes: 8 });
    expect(redactor().redact('[]')).toEqual({ type: 'unreadable', bytes: 2 });
  });

  it('never shows a sensitive argument again, however it is written', () => {
    const secret = fc
      .tuple(fc.stringMatching(/^[A-Za-z0-9 .*+?^${}()|[\]\\/-]{4,24}$/), fc.constantFrom('', ' ', '-'))
      .filter(([text]) => text.trim().length >= 4 && text.replace(/[\s().+-]/g, '').length >= 4);
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), ([card, separator], before, after) => {
        const by = redactor();
        const call = redacted(
          { type: 'tool.call', name: 'pay', arguments: { card, note: `for ${card}` } },
          by,
        );
        const isNumber = /^[\d\s().+-]+$/.test(card.trim());
        const again = isNumber ? [...card.replace(/\D/g, '')].join(separator) : card.trim();
        const frames = [
          call,
          redacted({ type: 'user.text', text: `${before}${again}${after}` }, by),
          redacted({ type: 'tool.result', id: 1, result: { deep: [`${before}${again}`] } }, by),
          redacted({ type: 'context.update', append: [{ role: 'user', text: again }] }, by),
        ];
        for (const frame of frames) {
          const { type: _type, ...shown } = frame;
          for (const text of texts(shown)) expect(text.includes(again) && text !== '[sensitive]').toBe(false);
        }
      }),
    );
  });

  it('looks for no more than 256 values', () => {
    const by = redactor();
    for (let index = 0; index < 256; index += 1) {
      redacted({ type: 'tool.call', name: 'pay', arguments: { card: `secret-${index}!`, note: 'x' } }, by);
    }
    redacted({ type: 'tool.call', name: 'pay', arguments: { card: 'one more', note: 'x' } }, by);
    const said = (text: string) => redacted({ type: 'user.text', text }, by).text;
    expect(said('secret-255!')).toBe('[sensitive]');
    expect(said('one more')).toBe('one more');
  });
});

function texts(json: unknown): readonly string[] {
  if (typeof json === 'string') return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(texts) : [];
}
