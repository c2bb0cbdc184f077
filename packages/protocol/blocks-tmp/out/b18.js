"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.parseSessionStart)('{"type":"hello"}').outcome; // 'other_type'
//# sourceMappingURL=b18.js.map