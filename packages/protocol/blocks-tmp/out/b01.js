"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const protocol_1 = require("@callwright/protocol");
const accept = (0, protocol_1.prepareAccept)({
    version: 1,
    system_prompt: "You are the host of Luigi's.",
    tools: [{ name: 'opening_hours', description: 'Opening hours.', kind: 'read_only', parameters: { type: 'object' } }],
    events: ['user.text'],
});
const first = (0, protocol_1.parseSessionStart)('{"type":"session.start","seq":1,"t_ms":0,"protocol":"brisvox.agent","versions":[1],"session_id":"1",' +
    '"agent":"luigi","capabilities":{"transfer":false,"tools":true}}');
if (first.outcome === 'start')
    console.log(accept.build({ greeting: 'Good evening!' }));
//# sourceMappingURL=b01.js.map