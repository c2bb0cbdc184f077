"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.buildServerMessage)({ type: 'session.end', seq: 9, t_ms: 61_000, reason: 'call_ended' });
//# sourceMappingURL=b13.js.map