import 'callwright';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRecording, replay, Test } from '@callwright/testing';
import { Kitchen, OrderModule } from '../built/order.agent.js';

test('an agent under node:test, from an ES module, is called, recorded and replayed', async () => {
  const lines = [];
  const record = { open: () => ({ write: (line) => void lines.push(line), close: () => undefined }) };
  const module = Test.createTestingModule({ imports: [OrderModule] });
  const app = await module.createApplication({ record });
  const call = await app.call();
  const { value } = await call.tool('order', { dish: 'risotto' });
  assert.equal(value, '1 risotto');
  assert.equal(app.get(Kitchen).orders.length, 1);
  await call.hangUp();
  await app.close();
  const { differences } = await replay(parseRecording(lines.join('\n')), module);
  assert.deepEqual(differences, []);
});
