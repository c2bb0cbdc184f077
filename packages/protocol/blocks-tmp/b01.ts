import { parseSessionStart, prepareAccept } from '@callwright/protocol';

const accept = prepareAccept({
  version: 1,
  system_prompt: "You are the host of Luigi's.",
  tools: [{ name: 'opening_hours', description: 'Opening hours.', kind: 'read_only', parameters: { type: 'object' } }],
  events: ['user.text'],
});

const first = parseSessionStart(
  '{"type":"session.start","seq":1,"t_ms":0,"protocol":"brisvox.agent","versions":[1],"session_id":"1",' +
    '"agent":"luigi","capabilities":{"transfer":false,"tools":true}}',
);
if (first.outcome === 'start') console.log(accept.build({ greeting: 'Good evening!' }));
