"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
try {
    (0, protocol_1.buildToolResult)(7, JSON.stringify('é'.repeat(33_000)));
}
catch (error) {
    if (error instanceof protocol_1.ProtocolError)
        console.log(error.code); // too_large
}
//# sourceMappingURL=b04.js.map