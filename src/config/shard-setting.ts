import { makeSetting } from './setting-row.ts';

/** The one setting that is in no section. */
export const shardSetting = makeSetting('shard', {
  type: 'shard',
  default: '',
  flag: 'part',
  help: 'the part of the projects that this one of several exporters takes, such as 0/3, or auto/3 for the number at the end of the host name; all of them without it',
});
