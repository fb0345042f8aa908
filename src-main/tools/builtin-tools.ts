import type { Tool } from '../domain/tool.ts';
import { askChoice } from './builtin/ask-choice.ts';
import { askForm } from './builtin/ask-form.ts';
import { createRecord } from './builtin/create-record.ts';
import { deleteFile } from './builtin/delete-file.ts';
import { deleteRecord } from './builtin/delete-record.ts';
import { describeRecords } from './builtin/describe-records.ts';
import { editFile } from './builtin/edit-file.ts';
import { getRecord } from './builtin/get-record.ts';
import { listFiles } from './builtin/list-files.ts';
import { moveFile } from './builtin/move-file.ts';
import { queryRecords } from './builtin/query-records.ts';
import { readFile } from './builtin/read-file.ts';
import { searchFiles } from './builtin/search-files.ts';
import { updateRecord } from './builtin/update-record.ts';
import { writeFile } from './builtin/write-file.ts';

/** Every tool that comes with the product, in the order it is offered. */
export const BUILTIN_TOOLS: readonly Tool[] = [
  describeRecords,
  queryRecords,
  getRecord,
  updateRecord,
  createRecord,
  deleteRecord,
  listFiles,
  readFile,
  searchFiles,
  writeFile,
  editFile,
  moveFile,
  deleteFile,
  askChoice,
  askForm,
];
