"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.highestCommonVersion)([1, 2]); // 1
//# sourceMappingURL=b24.js.map