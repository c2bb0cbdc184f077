"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
try {
    (0, protocol_1.buildSay)({ text: ' ' });
}
catch (error) {
    if (error instanceof protocol_1.ProtocolError)
        console.log(error.message); // say text cannot be sent: it must not be blank. ...
}
//# sourceMappingURL=b05.js.map