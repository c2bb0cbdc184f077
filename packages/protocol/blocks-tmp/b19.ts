import { parseAgentMessage, reviewAccept } from '@callwright/protocol';
const accept = parseAgentMessage('{"type":"session.accept","version":1,"events":["user.text","user.smell"]}');
if (accept.type === 'session.accept') console.log(reviewAccept(accept).breaks.length); // 1
