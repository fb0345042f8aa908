import { openWorld, type World } from '../support/world.ts';

/**
 * A whole installation with real tools on a real target file, in which run N works on what belongs to N alone: an even N
 * renames item N, which may be repeated, an odd N adds an item, which may not. `log` of the target names every effect.
 */
export async function openBenchWorld(runs: number): Promise<World> {
  const world = await openWorld(SCENARIO);
  world.target(`with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < ${runs})
    insert into items (id, name) select n, 'old' from numbers`);
  world.target('create table added (id integer primary key, name text not null)');
  world.target(`create trigger added_inserted after insert on added
    begin insert into log (action, name) values ('insert', new.name); end`);
  world.target('delete from log');
  return world;
}

/** What the person asks for in run N, from 1. */
export const promptOf = (run: number): string => `${run % 2 === 0 ? 'Rename' : 'Add'} item ${run}`;

const TEXT = 'by run {{ values.item }}';
const SCENARIO = {
  version: 1,
  name: 'one write of its own',
  values: { item: "{{ prompt.match('item (\\d+)') | number }}" },
  turns: [
    {
      branches: [
        {
          when: { contains: ['{{ prompt }}', 'Rename'] },
          text: 'I propose another name.',
          calls: [
            {
              name: 'update_record',
              arguments: {
                database: 'target',
                table: 'items',
                key: { id: '{{ values.item }}' },
                values: { name: TEXT },
              },
            },
          ],
        },
        {
          text: 'I propose a new item.',
          calls: [{ name: 'create_record', arguments: { database: 'target', table: 'added', values: { name: TEXT } } }],
        },
      ],
    },
    { text: 'It is over: {{ results[0].content }}' },
  ],
};
