"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
try {
    (0, protocol_1.buildContextUpdate)({ append: Array.from({ length: 33 }, () => ({ role: 'user', text: 'Hello' })) });
}
catch (error) {
    if (error instanceof protocol_1.ProtocolError)
        console.log(error.code); // too_large
}
//# sourceMappingURL=b06.js.map