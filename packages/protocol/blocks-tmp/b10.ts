import { buildReject } from '@callwright/protocol';
buildReject('unavailable'); // '{"type":"session.reject","code":"unavailable"}'
