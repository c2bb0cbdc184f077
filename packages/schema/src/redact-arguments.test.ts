import { Expose } from 'class-transformer';
import { IsInt, IsString } from 'class-validator';
import { ArrayOf, Nested, planDto, planScalars, Sensitive } from './index';

class Card {
  @Sensitive() @IsString() @Expose({ name: 'card_number' }) number!: string;
  @IsString() holder!: string;
}
class Payment {
  @Nested(() => Card) card!: Card;
  @ArrayOf(() => Card) others?: Card[];
  @IsString() pin!: Sensitive<string>;
  @IsInt() amount!: number;
}

function redacted(args: unknown): { readonly copy: unknown; readonly hidden: readonly unknown[] } {
  const hidden: unknown[] = [];
  const copy = planDto(Payment).redact?.(args, (value) => hidden.push(value));
  return { copy, hidden };
}

describe('arguments that are recorded', () => {
  test('hold no sensitive value, at any depth, and what was hidden is told', () => {
    const card = { card_number: '4111', holder: 'Ada' };
    expect(redacted({ card, others: [card], pin: '1234', amount: 5 })).toEqual({
      copy: {
        card: { card_number: '[sensitive]', holder: 'Ada' },
        others: [{ card_number: '[sensitive]', holder: 'Ada' }],
        pin: '[sensitive]',
        amount: 5,
      },
      hidden: ['4111', '4111', '1234'],
    });
  });

  test('hide what the class has no property for, or has not the form of it', () => {
    expect(
      redacted({ card: '4111', others: { a: '4111' }, pin: { pin: ['1', 2] }, cardNumber: '4111' }),
    ).toEqual({
      copy: { card: '[unknown]', others: '[unknown]', pin: '[sensitive]', cardNumber: '[unknown]' },
      hidden: ['1', 2],
    });
    expect(redacted('4111').copy).toBe('[unknown]');
    expect(JSON.stringify(redacted(JSON.parse('{"__proto__":"4111"}')).copy)).toBe(
      '{"__proto__":"[unknown]"}',
    );
  });

  test('are hidden by the type of a parameter', () => {
    const plan = planScalars([
      { name: 'pin', designType: Sensitive, options: { type: 'string' }, where: 'A.b, parameter 0' },
      { name: 'day', designType: String, options: {}, where: 'A.b, parameter 1' },
    ]);
    const hidden: unknown[] = [];
    expect(plan.redact?.({ pin: '1234', day: 'friday' }, (value) => hidden.push(value))).toEqual({
      pin: '[sensitive]',
      day: 'friday',
    });
    expect(hidden).toEqual(['1234']);
  });
});
