import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import { type SqliteConnection, openSqlite } from '../system/open-sqlite.ts';

/** Where a built sample site is. Both paths lie in the folder it was built in. */
export interface SampleSite {
  databasePath: string;
  workspacePath: string;
}

/** Marks a folder as ours, so that only a sample site is ever completed or kept. */
const MARKER = 'countersign-sample-site.txt';
const MARKER_TEXT = 'This folder holds the sample site of Countersign. It can be deleted at any time.\n';

const OptionalText = Type.Union([Type.String(), Type.Null()]);
const Content = Type.Object({
  pages: Type.Array(
    Type.Object({
      id: Type.Integer(),
      parent: Type.Union([Type.Integer(), Type.Null()]),
      slug: Type.String(),
      title: Type.String(),
      metaDescription: OptionalText,
      isHidden: Type.Boolean(),
      created: Type.String(),
      updated: Type.String(),
      content: Type.Array(Type.Object({ kind: Type.String(), heading: OptionalText, body: Type.String() })),
    }),
  ),
  files: Type.Array(
    Type.Object({
      id: Type.Integer(),
      path: Type.String(),
      altText: OptionalText,
      sizeBytes: Type.Integer(),
      page: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
});
type Content = Static<typeof Content>;

/** The folder holds something that is not ours, so nothing is put beside it. */
export class SampleSiteError extends Error {
  constructor(folder: string) {
    super(`"${folder}" is not empty and not a sample site. Choose an empty folder.`);
    this.name = 'SampleSiteError';
  }
}

/**
 * Builds the sample site, a content database and a workspace folder of an invented
 * small organisation, from `sourceDir` (resources/sample-site) in `targetDir`. The
 * same source gives the same rows and files. A site that is there already is left as
 * it is, changes included; a build that was interrupted is begun again.
 * Faults: `SampleSiteError` when `targetDir` holds anything else; `Error` when the source is damaged.
 */
export function buildSampleSite(sourceDir: string, targetDir: string): SampleSite {
  const site = { databasePath: join(targetDir, 'site.db'), workspacePath: join(targetDir, 'workspace') };
  mkdirSync(targetDir, { recursive: true });
  const marker = join(targetDir, MARKER);
  if (!existsSync(marker)) {
    if (readdirSync(targetDir).length > 0) throw new SampleSiteError(targetDir);
    writeFileSync(marker, MARKER_TEXT, { flag: 'wx' });
  }
  if (!existsSync(site.workspacePath)) {
    const unfinished = join(targetDir, 'workspace.new');
    rmSync(unfinished, { recursive: true, force: true });
    copyFolder(join(sourceDir, 'workspace'), unfinished);
    renameSync(unfinished, site.workspacePath);
  }
  if (!existsSync(site.databasePath)) buildDatabase(sourceDir, site.databasePath);
  return site;
}

/** By hand: the source may lie inside an application archive, which a recursive copy of the system cannot read. */
function copyFolder(source: string, target: string): void {
  mkdirSync(target);
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) copyFolder(from, to);
    else writeFileSync(to, readFileSync(from));
  }
}

function buildDatabase(sourceDir: string, databasePath: string): void {
  const content: unknown = JSON.parse(readFileSync(join(sourceDir, 'content.json'), 'utf8'));
  if (!Check(Content, content)) throw new Error('The content of the sample site is damaged');
  const unfinished = `${databasePath}.new`;
  rmSync(unfinished, { force: true });
  rmSync(`${unfinished}-journal`, { force: true });
  const connection = openSqlite(unfinished);
  try {
    connection.exec('begin');
    connection.exec(readFileSync(join(sourceDir, 'schema.sql'), 'utf8'));
    insertContent(connection, content);
    connection.exec('commit');
  } finally {
    connection.close();
  }
  renameSync(unfinished, databasePath);
}

function insertContent(connection: SqliteConnection, content: Content): void {
  const insertPage = connection.prepare(
    `insert into pages (id, parent_id, slug, title, meta_description, navigation_order, is_hidden, created_at, updated_at)
     values (:id, :parent, :slug, :title, :metaDescription, :order, :isHidden, :created, :updated)`,
  );
  const insertElement = connection.prepare(
    `insert into content_elements (page_id, position, kind, heading, body)
     values (:page, :position, :kind, :heading, :body)`,
  );
  const insertFile = connection.prepare(
    `insert into files (id, path, alt_text, size_bytes, page_id) values (:id, :path, :altText, :sizeBytes, :page)`,
  );
  const children = new Map<number | null, number>();
  for (const { content: elements, isHidden, ...page } of content.pages) {
    const order = (children.get(page.parent) ?? 0) + 10;
    children.set(page.parent, order);
    insertPage.run({ ...page, order, isHidden: isHidden ? 1 : 0 });
    for (const [index, element] of elements.entries()) {
      insertElement.run({ page: page.id, position: index + 1, ...element });
    }
  }
  for (const file of content.files) insertFile.run(file);
}
