"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
(0, protocol_1.buildSay)({ text: 'One moment.', id: 'c1' }); // '{"type":"say","id":"c1","text":"One moment."}'
//# sourceMappingURL=b12.js.map