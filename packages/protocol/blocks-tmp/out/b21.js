"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
const token = (0, protocol_1.mintSessionToken)({
    secret: 'a secret of thirty-two bytes or more',
    audience: 'brisvox-webrtc',
    maxCallSeconds: 600,
    meta: { visitor: 'v-17' },
});
//# sourceMappingURL=b21.js.map