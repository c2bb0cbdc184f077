import { parseAgentMessage } from '@callwright/protocol';
const message = parseAgentMessage('{"type":"say","id":"1","text":"Good evening."}');
if (message.type === 'say') console.log(message.text); // Good evening.
