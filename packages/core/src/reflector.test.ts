import { applyDecorators } from './apply-decorators';
import { Reflector } from './reflector';

const Roles = Reflector.createDecorator<readonly string[]>();
const Limits = Reflector.createDecorator<{ perMinute?: number; burst?: number }>();
const Label = Reflector.createDecorator<string>('label');

@Roles(['base'])
class Base {
  @Label('of the base')
  act(): void {}
  @Label('kept')
  kept(): void {}
}

@Roles(['staff'])
@Limits({ perMinute: 5, burst: 1 })
class Derived extends Base {
  @applyDecorators(Roles(['owner']), Limits({ burst: 9 }))
  override act(): void {}
  plain(): void {}
}

describe('a reflector', () => {
  const reflector = new Reflector();

  test('reads the value of a method or of a class, and nothing of another decorator', () => {
    expect(reflector.get(Roles, { type: Derived, method: 'act' })).toEqual(['owner']);
    expect(reflector.get(Roles, { type: Derived })).toEqual(['staff']);
    expect(reflector.get(Roles, { type: Derived, method: 'plain' })).toBeUndefined();
    expect(reflector.get(Label, { type: Derived })).toBeUndefined();
  });

  test('takes what a base class says where the derived class says nothing, and leaves the base as it is', () => {
    expect(reflector.get(Label, { type: Derived, method: 'kept' })).toBe('kept');
    expect(reflector.get(Label, { type: Derived, method: 'act' })).toBe('of the base');
    expect(reflector.get(Roles, { type: Base })).toEqual(['base']);
  });

  test('prefers the method, or merges both', () => {
    const act = { type: Derived, method: 'act' };
    const plain = { type: Derived, method: 'plain' };
    expect(reflector.getAllAndOverride(Roles, act)).toEqual(['owner']);
    expect(reflector.getAllAndOverride(Roles, plain)).toEqual(['staff']);
    expect(reflector.getAllAndMerge(Roles, act)).toEqual(['staff', 'owner']);
    expect(reflector.getAllAndMerge(Limits, act)).toEqual({ perMinute: 5, burst: 9 });
    expect(reflector.getAllAndMerge(Limits, plain)).toEqual({ perMinute: 5, burst: 1 });
    // @ts-expect-error a text cannot be merged
    expect(reflector.getAllAndMerge(Label, plain)).toBeUndefined();
  });
});
