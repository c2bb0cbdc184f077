import 'callwright';
import { type CallMatchers, callMatchers, rules, Test, when } from '@callwright/testing';
import { expect, test } from 'vitest';
import { Kitchen, OrderModule } from '../order.agent';

declare module 'vitest' {
  interface Matchers<T> extends CallMatchers<T> {}
}
expect.extend(callMatchers);

test('an agent under vitest is called without a port, and its calls have matchers', async () => {
  const app = await Test.createTestingModule({ imports: [OrderModule] }).createApplication();
  const call = await app.call({ brain: rules([when(/./).say('Good evening.')]) });
  await call.user('Hello.');
  await call.tool('order', { dish: 'risotto', count: 2 });
  expect(call).toHaveSaid('Good evening.');
  expect(call).toHaveRunOnce('order', { count: 2 });
  expect(app.get(Kitchen).orders).toEqual([{ dish: 'risotto', count: 2 }]);
  await app.close();
});
