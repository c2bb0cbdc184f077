"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
const accept = (0, protocol_1.parseAgentMessage)('{"type":"session.accept","version":1,"events":["user.text","user.smell"]}');
if (accept.type === 'session.accept')
    console.log((0, protocol_1.reviewAccept)(accept).breaks.length); // 1
//# sourceMappingURL=b19.js.map