"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
console.log((0, protocol_1.buildServerMessage)({ type: 'user.text', seq: 2, t_ms: 800, epoch: 1, text: 'A table for four, please.' }));
const message = (0, protocol_1.parseAgentMessage)('{"type":"say","id":"c1","text":" "}');
if (message.type === 'say')
    console.log((0, protocol_1.reviewCommand)(message)); // { code: 'invalid_argument', message: 'text is blank' }
//# sourceMappingURL=b02.js.map