import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { temporaryFolder } from '../../../test/harness/folders.ts'
import { proxyTo } from '../../../test/harness/proxy.ts'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'

const first = {
  '0001-make-things.sql': 'create table things (id integer primary key);\ninsert into things values (1);',
}
const second = { '0002-name-things.sql': 'alter table things add column name text;' }

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
})
afterEach(() => database.close())

describe('a migration folder is refused, and nothing changes,', () => {
  test.each([
    [
      'an applied file was edited',
      { '0001-make-things.sql': 'create table things (id bigint primary key);' },
      /0001-make-things.sql was changed after it was applied/,
    ],
    ['an applied file is missing', second, /has migration 0001-make-things.sql, which is not part of this release/],
    [
      'a file comes before an applied one',
      { ...first, '0000-late.sql': 'select 1;' },
      /0000-late.sql comes before 0001-make-things.sql/,
    ],
    [
      'two files have the same number',
      { ...first, '0001-other.sql': 'select 1;' },
      /0001-make-things.sql and 0001-other.sql have the same number/,
    ],
    [
      'a file and a folder have the same number',
      { ...first, '0002-parts/01-part.sql': 'select 1;', '0002-other.sql': 'select 1;' },
      /0002-other.sql and 0002-parts\/01-part.sql have the same number/,
    ],
    [
      'a part of a folder has no number',
      { ...first, '0002-parts/part.sql': 'select 1;' },
      /0002-parts\/part.sql must be called like 0001-what-changed.sql/,
    ],
    [
      'a file has no number',
      { ...first, 'things.sql': 'select 1;' },
      /things.sql must be called like 0001-what-changed.sql/,
    ],
    [
      'a file ends its own transaction',
      { ...first, '0002-commit.sql': 'create table half ();\nCOMMIT;' },
      /0002-commit.sql must not begin or end a transaction/,
    ],
  ])('when %s', async (_case, files, message) => {
    await migrate(database.pool, folderOf(first))
    await expect(
      migrate(database.pool, folderOf({ ...files, '0009-never.sql': 'create table never ();' })),
    ).rejects.toThrow(message)
    expect(await tables()).toEqual(['migrations', 'things'])
    expect(await names()).toEqual(['0001-make-things.sql'])
  })
})

describe('a migration that fails', () => {
  const broken = { '0002-break.sql': 'create table half ();\ninsert into things\nvalues (2, nonsense);' }

  test('rolls back all new migrations; the error contains its line number, and the previous release still starts', async () => {
    const message = /0003-break.sql failed in line 3, and nothing was changed: column "nonsense" does not exist/
    await migrate(database.pool, folderOf(first))
    await expect(
      migrate(database.pool, folderOf({ ...first, ...second, '0003-break.sql': broken['0002-break.sql'] })),
    ).rejects.toThrow(message)
    expect(await migrate(database.pool, folderOf(first))).toEqual([])
    expect(await tables()).toEqual(['migrations', 'things'])
    expect(await names()).toEqual(['0001-make-things.sql'])
  })

  test('is rolled back when it cannot be recorded', async () => {
    const unrecordable = { '0002-forget.sql': 'create table half ();\nalter table migrations rename to forgotten;' }
    await migrate(database.pool, folderOf(first))
    await expect(migrate(database.pool, folderOf({ ...first, ...unrecordable }))).rejects.toThrow(
      'relation "migrations" does not exist',
    )
    expect(await tables()).toEqual(['migrations', 'things'])
  })

  test('releases the lock, so that the corrected folder is applied', async () => {
    await migrate(database.pool, folderOf(first))
    await migrate(database.pool, folderOf({ ...first, ...broken })).catch(() => {})
    expect(await migrate(database.pool, folderOf({ ...first, ...second }))).toEqual(['0002-name-things.sql'])
  })
})

describe('a valid migration folder', () => {
  test('is applied as soon as the server accepts connections, even if it starts after the app', async () => {
    const proxy = await proxyTo(database.address)
    const early = connect(proxy.address, { log: silentLog, max: 1 })
    onTestFinished(early.close)
    await proxy.close()
    const waiting = Promise.withResolvers<void>()
    const migrated = migrate(early.pool, folderOf(first), { warn: () => waiting.resolve() })
    await waiting.promise
    await proxy.listen()
    expect(await migrated).toEqual(['0001-make-things.sql'])
  })

  test('is applied once and in order; different line endings are not a change', async () => {
    const folder = folderOf({ ...second, ...first })
    expect(await migrate(database.pool, folder)).toEqual(['0001-make-things.sql', '0002-name-things.sql'])
    writeFileSync(join(folder, '0001-make-things.sql'), first['0001-make-things.sql'].replaceAll('\n', '\r\n'))
    expect(await migrate(database.pool, folder)).toEqual([])
    expect((await database.pool.query('select id, name from things')).rows).toEqual([{ id: 1, name: null }])
  })

  test('may alter a table whose deferred constraints were not yet checked', async () => {
    const deferred =
      'create table parts (thing integer references things deferrable initially deferred);\ninsert into parts values (1);'
    const files = {
      ...first,
      '0002-parts.sql': deferred,
      '0003-name-parts.sql': 'alter table parts add column name text;',
    }
    expect(await migrate(database.pool, folderOf(files))).toHaveLength(3)
  })

  test('is applied once by eight concurrent starts', async () => {
    const folder = folderOf({
      ...first,
      ...second,
      '0003-wait.sql': 'select pg_sleep(0.3); insert into things values (3);',
    })
    const starts = Array.from({ length: 8 }, () => {
      const start = connect(database.address, { log: silentLog, max: 1 })
      onTestFinished(start.close)
      return migrate(start.pool, folder)
    })
    const applied = (await Promise.all(starts)).toSorted((a, b) => b.length - a.length)
    expect(applied).toEqual([
      ['0001-make-things.sql', '0002-name-things.sql', '0003-wait.sql'],
      [],
      [],
      [],
      [],
      [],
      [],
      [],
    ])
  })

  test('may take longer than the statement timeout', async () => {
    const withTimeout = connect(database.address, { log: silentLog, max: 1 })
    onTestFinished(withTimeout.close)
    withTimeout.pool.options.statement_timeout = 100
    expect(await migrate(withTimeout.pool, folderOf({ '0001-slow.sql': 'select pg_sleep(0.4);' }))).toEqual([
      '0001-slow.sql',
    ])
    await expect(withTimeout.pool.query('select pg_sleep(0.4)')).rejects.toThrow('statement timeout')
  })

  test('closes its connection and thereby releases the lock', async () => {
    await migrate(database.pool, folderOf(first))
    expect(database.pool.totalCount).toBe(0)
    const held = async () => {
      const { rows } = await database.pool.query<{ held: number }>(
        `select count(*)::int as held from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows[0]!.held
    }
    // The server ends a session shortly after the client has disconnected.
    await expect.poll(held).toBe(0)
  })
})

describe('a migration folder with a baseline and the history it replaces', () => {
  const history = {
    'history/0001-make-things.sql': first['0001-make-things.sql'],
    'history/0002-name-things.sql': second['0002-name-things.sql'],
  }
  const later = { '0003-count-things.sql': 'alter table things add column count integer;' }
  const release = {
    ...history,
    '0002-baseline/01-things.sql': 'create table things (id integer primary key, name text);',
    '0002-baseline/02-rows.sql': 'insert into things values (1);',
    ...later,
  }

  test('applies the parts of the baseline in order to a new database', async () => {
    const applied = ['0002-baseline/01-things.sql', '0002-baseline/02-rows.sql', '0003-count-things.sql']
    expect(await migrate(database.pool, folderOf(release))).toEqual(applied)
    expect(await migrate(database.pool, folderOf(release))).toEqual([])
    expect(await names()).toEqual(applied)
  })

  test('applies only later files to a database that has the whole history', async () => {
    await migrate(database.pool, folderOf({ ...first, ...second }))
    expect(await migrate(database.pool, folderOf(release))).toEqual(['0003-count-things.sql'])
    expect(await migrate(database.pool, folderOf(release))).toEqual([])
  })

  test('applies the rest of the history first to a database that has a part of it', async () => {
    await migrate(database.pool, folderOf(first))
    expect(await migrate(database.pool, folderOf(release))).toEqual(['0002-name-things.sql', '0003-count-things.sql'])
  })

  test('refuses a database whose history was changed', async () => {
    await migrate(database.pool, folderOf(first))
    const changed = { ...release, 'history/0001-make-things.sql': 'create table things (id bigint);' }
    await expect(migrate(database.pool, folderOf(changed))).rejects.toThrow(
      '0001-make-things.sql was changed after it was applied',
    )
  })
})

function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder()
  for (const [name, sql] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), sql)
  }
  return folder
}

async function tables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'public' order by 1`,
  )
  return rows.map((row) => row.tablename)
}

async function names(): Promise<string[]> {
  return (await database.pool.query<{ name: string }>('select name from migrations order by name')).rows.map(
    (row) => row.name,
  )
}
