"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
try {
    (0, protocol_1.mintSessionToken)({ secret: 'too short', audience: 'brisvox-webrtc' });
}
catch (error) {
    if (error instanceof protocol_1.ProtocolError)
        console.log(error.message); // ... secret must have at least 32 bytes of UTF-8. ...
}
//# sourceMappingURL=b07.js.map