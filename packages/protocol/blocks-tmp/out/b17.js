"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
const message = (0, protocol_1.parseServerMessage)('{"type":"user.text","seq":4,"t_ms":900,"epoch":1,"text":"Hello"}');
if (message.type === 'user.text')
    console.log(message.text); // Hello
//# sourceMappingURL=b17.js.map