"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
try {
    (0, protocol_1.parseServerMessage)('{"type":"user.text","epoch":1}');
}
catch (error) {
    if (error instanceof protocol_1.ProtocolError)
        console.log(error.message); // Message user.text cannot be read: "text" must be a string. ...
}
//# sourceMappingURL=b03.js.map