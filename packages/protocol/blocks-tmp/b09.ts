import { prepareAccept } from '@callwright/protocol';
const accept = prepareAccept({ version: 1, system_prompt: 'You are a host.', events: ['user.text'] });
const frame = accept.build({ greeting: 'Welcome back, Ada!' });
