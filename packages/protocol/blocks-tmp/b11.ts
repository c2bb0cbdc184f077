import { buildToolResult } from '@callwright/protocol';
buildToolResult(7, '{"booked":true}'); // '{"type":"tool.result","id":7,"result":{"booked":true}}'
