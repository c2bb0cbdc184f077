"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.buildReject)('unavailable'); // '{"type":"session.reject","code":"unavailable"}'
//# sourceMappingURL=b10.js.map