"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.buildToolResult)(7, '{"booked":true}'); // '{"type":"tool.result","id":7,"result":{"booked":true}}'
//# sourceMappingURL=b11.js.map