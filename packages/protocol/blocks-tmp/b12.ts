import { buildSay } from '@callwright/protocol';
buildSay({ text: 'One moment.', id: 'c1' }); // '{"type":"say","id":"c1","text":"One moment."}'
