"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
const message = (0, protocol_1.parseAgentMessage)('{"type":"say","id":"1","text":"Good evening."}');
if (message.type === 'say')
    console.log(message.text); // Good evening.
//# sourceMappingURL=b16.js.map