"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.reviewCommand)({ type: 'say', text: ' ' })?.code; // 'invalid_argument'
//# sourceMappingURL=b20.js.map