"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.jsonDepth)({ a: [1] }, 128); // 2
//# sourceMappingURL=b15.js.map