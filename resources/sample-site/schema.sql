-- The content database of the sample site. Dates are ISO 8601 text, UTC.

create table pages (
  id integer primary key,
  parent_id integer references pages (id),
  slug text not null,
  title text not null check (length(title) between 1 and 120),
  meta_description text,
  navigation_order integer not null default 0,
  is_hidden integer not null default 0 check (is_hidden in (0, 1)),
  created_at text not null default current_timestamp,
  updated_at text not null default current_timestamp,
  unique (parent_id, slug)
);

create table content_elements (
  id integer primary key,
  page_id integer not null references pages (id) on delete cascade,
  position integer not null,
  kind text not null check (kind in ('intro', 'text', 'list', 'notice')),
  heading text,
  body text not null
);

create index content_of_page on content_elements (page_id, position);

create table files (
  id integer primary key,
  path text not null unique,
  alt_text text,
  size_bytes integer not null check (size_bytes >= 0),
  page_id integer references pages (id) on delete set null
);

create table page_log (
  id integer primary key,
  page_id integer not null,
  field text not null,
  old_value text,
  new_value text
);

-- One row per update of a page, so that effects can be counted.
create trigger pages_log_update
after update on pages
begin
  insert into page_log (page_id, field, old_value, new_value)
  values (
    new.id,
    case
      when old.title is not new.title then 'title'
      when old.meta_description is not new.meta_description then 'meta_description'
      else 'other'
    end,
    case when old.title is not new.title then old.title else old.meta_description end,
    case when old.title is not new.title then new.title else new.meta_description end
  );
end;
