import { highestCommonVersion } from '@callwright/protocol';
highestCommonVersion([1, 2]); // 1
