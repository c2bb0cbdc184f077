"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
const token = (0, protocol_1.mintSessionToken)({
    secret: 'a secret of thirty-two bytes or more',
    audience: 'brisvox-webrtc',
    ttlSeconds: 60,
    agent: 'luigi',
});
console.log(token.split('.').length); // 3
//# sourceMappingURL=b08.js.map