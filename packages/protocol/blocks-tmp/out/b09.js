"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
const accept = (0, protocol_1.prepareAccept)({ version: 1, system_prompt: 'You are a host.', events: ['user.text'] });
const frame = accept.build({ greeting: 'Welcome back, Ada!' });
//# sourceMappingURL=b09.js.map