"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
function answer(frame) {
    try {
        const message = (0, protocol_1.parseServerMessage)(frame);
        switch (message.type) {
            case 'tool.call':
                return (0, protocol_1.buildToolResult)(message.id, JSON.stringify({ open: '18:00', close: '23:30' }));
            case 'unknown':
                console.debug(`ignored a message of type ${message.wire_type}`);
                return undefined;
            default:
                return undefined;
        }
    }
    catch (error) {
        if (!(error instanceof protocol_1.ProtocolError))
            throw error;
        console.warn(error.message); // names fields and bounds, never values
        return error.toolCallId === undefined ? undefined : (0, protocol_1.buildToolError)(error.toolCallId, 'the tool call could not be read');
    }
}
console.log(answer('{"seq":5,"t_ms":900,"type":"tool.call","id":1,"call_id":"t1.1","name":"opening_hours","arguments":{},' +
    '"kind":"read_only","epoch":1,"idempotency_key":"0123456789abcdef","timeout_ms":5000}')); // {"type":"tool.result","id":1,"result":{"open":"18:00","close":"23:30"}}
//# sourceMappingURL=b00.js.map