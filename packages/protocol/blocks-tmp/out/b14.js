"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
try {
    (0, protocol_1.parseServerMessage)('[]');
}
catch (error) {
    if (error instanceof protocol_1.ProtocolError)
        console.log(error.code); // bad_message
}
//# sourceMappingURL=b14.js.map