import { IsString } from 'class-validator';

test('Ajv is loaded at the first compile, not with the package or with a plan', () => {
  const loaded: string[] = [];
  jest.doMock('ajv/dist/2020', () => {
    loaded.push('ajv');
    return jest.requireActual('ajv/dist/2020');
  });
  jest.isolateModules(() => {
    const { planDto } = require('./index') as typeof import('./index');
    class Text {
      @IsString() text!: string;
    }
    const plan = planDto(Text);
    expect(plan.problems).toEqual([]);
    expect(loaded).toEqual([]);
    plan.compile();
    expect(loaded).toEqual(['ajv']);
    plan.compile();
    expect(plan.bind({ text: 'a' })).toMatchObject({ ok: true });
  });
});
