require('reflect-metadata');
const assert = require('node:assert/strict');
const { describe, it } = require('node:test');
const {
  calledTool,
  parseScenario,
  rules,
  runScenarios,
  said,
  Test,
  verify,
  when,
} = require('@callwright/testing');
const { OrderModule } = require('../built/order.agent.js');

describe('an agent under node:test, from CommonJS', () => {
  it('is called without a port', async () => {
    const app = await Test.createTestingModule({ imports: [OrderModule] }).createApplication();
    const brain = rules([when(/soup/).call('onTheMenu', { dish: 'soup' }).say('No soup today.')]);
    const call = await app.call({ brain });
    await call.user('Is there soup?');
    verify(said(call, 'No soup'), calledTool(call, 'onTheMenu', { dish: 'soup' }));
    await assert.rejects(call.user('And fish?'), { code: 'CW_BRAIN_NO_MATCH' });
    await app.close();
  });

  it('plays scenarios', async () => {
    const text = 'steps: [{ tool: order, args: { dish: fish }, result: 1 fish }]';
    const module = Test.createTestingModule({ imports: [OrderModule] });
    const summary = await runScenarios([parseScenario(text, 'fish')], module);
    assert.deepEqual([summary.passed, summary.failed], [1, 0]);
  });
});
