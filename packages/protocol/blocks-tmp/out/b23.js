"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.cutUtf8)('héllo', 2); // 'h'
//# sourceMappingURL=b23.js.map