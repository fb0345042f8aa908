/** What an installation keeps beside its database to know it again. Written now and then, never with a commit. */
export interface InstanceMark {
  instanceId: string;
  /** Of the database file; a copy is another file. */
  inode: string;
  /** A change that the database had when the mark was written; 0 = none yet. */
  seq: number;
  hash: string;
}

/** What the opened database says of itself. */
export interface OpenedFile {
  /** Null = no release with marks has opened it yet. */
  instanceId: string | null;
  inode: string;
  /** Hash of the change that the mark names; null = there is none. */
  hashAtMark: string | null;
  /** Nothing ever happened in it. */
  isEmpty: boolean;
}

/** `first` = begins to be known; the last three = the file is not the one that was written last here. */
export type Epoch = 'same' | 'first' | 'copied' | 'another' | 'older';

/**
 * Whether an opened database is the installation that was written last at this place. `copied`: brought here without
 * its mark, or mark and file are both copies; `another`: the mark belongs to another one; `older`: the same file, put
 * back to an earlier moment. When in doubt it is not the same: that costs a release, the other mistake a second write.
 */
export function judgeEpoch(file: OpenedFile, mark: InstanceMark | null): Epoch {
  if (file.isEmpty || (file.instanceId === null && mark === null)) return file.instanceId === null ? 'first' : 'same';
  if (mark === null) return 'copied';
  if (mark.instanceId !== file.instanceId) return 'another';
  if (mark.inode !== file.inode) return 'copied';
  return mark.seq > 0 && mark.hash !== file.hashAtMark ? 'older' : 'same';
}
