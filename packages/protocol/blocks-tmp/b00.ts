import { buildToolError, buildToolResult, parseServerMessage, ProtocolError } from '@callwright/protocol';

function answer(frame: string): string | undefined {
  try {
    const message = parseServerMessage(frame);
    switch (message.type) {
      case 'tool.call':
        return buildToolResult(message.id, JSON.stringify({ open: '18:00', close: '23:30' }));
      case 'unknown':
        console.debug(`ignored a message of type ${message.wire_type}`);
        return undefined;
      default:
        return undefined;
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    console.warn(error.message); // names fields and bounds, never values
    return error.toolCallId === undefined ? undefined : buildToolError(error.toolCallId, 'the tool call could not be read');
  }
}

console.log(
  answer(
    '{"seq":5,"t_ms":900,"type":"tool.call","id":1,"call_id":"t1.1","name":"opening_hours","arguments":{},' +
      '"kind":"read_only","epoch":1,"idempotency_key":"0123456789abcdef","timeout_ms":5000}',
  ),
); // {"type":"tool.result","id":1,"result":{"open":"18:00","close":"23:30"}}
