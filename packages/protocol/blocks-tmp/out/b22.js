"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.utf8ByteLength)('é'); // 2
//# sourceMappingURL=b22.js.map