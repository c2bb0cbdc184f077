import { parseServerMessage } from '@callwright/protocol';
const message = parseServerMessage('{"type":"user.text","seq":4,"t_ms":900,"epoch":1,"text":"Hello"}');
if (message.type === 'user.text') console.log(message.text); // Hello
