import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBreaches } from '#server/testing/migration-rules.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
/** Files that break a rule on purpose, each with the reason why that is harmless. */
const EXCEPTIONS: Readonly<Record<string, string>> = {}

const inside = (sql: string) => findBreaches(`set local lock_timeout = '5s';\n${sql};\n`)
const outside = (sql: string) => findBreaches(`-- outside a transaction\n${sql};\n`)

test('every migration may run on a busy database', () => {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql') && !(name in EXCEPTIONS))
    .toSorted()
  expect(files.length).toBeGreaterThan(0)
  const breaches = files.flatMap((name) =>
    findBreaches(readFileSync(join(FOLDER, name), 'utf8')).map((breach) => `${name}: ${breach}`),
  )
  expect(breaches).toEqual([])
})

test('a migration in a transaction begins with a short lock_timeout', () => {
  expect(findBreaches('alter table users add column age integer;\n')).toHaveLength(1)
  expect(findBreaches("set local lock_timeout = '60s';\nselect 1;\n")).toHaveLength(1)
  expect(inside('alter table users add column age integer')).toEqual([])
})

test.each([
  'create index users_age on users (age)',
  'create unique index users_age on users (age)',
  'create index concurrently users_age on users (age)',
  'alter table users add constraint users_age check (age > 0)',
  'alter table users add column age integer check (age > 0)',
  'alter table users add column boss uuid references users',
  'alter table users validate constraint users_age',
  'alter table users add constraint users_age unique (age)',
  'alter table users alter column age type bigint',
  'alter table users alter column age set not null',
  'alter table users add column number bigint generated always as identity',
  'alter table users add column key uuid default gen_random_uuid()',
  'alter table users rename column age to years',
  'update users set age = 0',
  '-- all of them\ndelete from users',
  'insert into ages select id from users',
  'with old as (select id from users) update users set age = 0 from old where users.id = old.id',
])('in a transaction this blocks a busy database: %s', (sql) => {
  expect(inside(sql)).toHaveLength(1)
})

test.each([
  'alter table users add column age integer not null default 0',
  'alter table users add column seen_at timestamptz not null default now()',
  'alter table users add constraint users_age check (age > 0) not valid',
  'alter table users add constraint users_boss foreign key (boss) references users not valid',
  'alter table users add constraint users_age unique using index users_age',
  'alter table users drop column age',
  'create table ages (\n  user_id uuid primary key references users,\n  age integer check (age > 0)\n);\ncreate index ages_age on ages (age)',
  'create function f() returns trigger language plpgsql as $$\nbegin\n  update users set age = 0;\n  return new;\nend;\n$$',
])('in a transaction this is harmless: %s', (sql) => {
  expect(inside(sql)).toEqual([])
})

test.each([
  'alter table users add column age integer',
  'create index concurrently users_age on users (age)',
  'create index users_age on users (age)',
  'update users set age = 0 where age is null',
  '-- in batches\nupdate users set age = 0 where age is null',
  'update users set age = 0 where id in (select id from users where age is null limit 1000)',
])('outside a transaction this blocks a busy database: %s', (sql) => {
  expect(outside(sql)).toHaveLength(1)
})

test.each([
  'drop index concurrently if exists users_age;\n-- why\ncreate index concurrently users_age on users (age)',
  'alter table users validate constraint users_age',
  '-- in batches\nupdate users set age = 0 where id in (select id from users where age is null limit 1000)',
])('outside a transaction this is harmless: %s', (sql) => {
  expect(outside(sql)).toEqual([])
})
