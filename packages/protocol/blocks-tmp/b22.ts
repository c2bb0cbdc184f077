import { utf8ByteLength } from '@callwright/protocol';
utf8ByteLength('é'); // 2
