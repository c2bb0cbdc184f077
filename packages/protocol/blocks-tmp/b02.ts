import { buildServerMessage, parseAgentMessage, reviewCommand } from '@callwright/protocol';

console.log(buildServerMessage({ type: 'user.text', seq: 2, t_ms: 800, epoch: 1, text: 'A table for four, please.' }));

const message = parseAgentMessage('{"type":"say","id":"c1","text":" "}');
if (message.type === 'say') console.log(reviewCommand(message)); // { code: 'invalid_argument', message: 'text is blank' }
