import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { countedLists } from './counted-lists.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ max: 1 })
})
afterAll(() => database.close())

const withoutLayout = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/([([]) | (?=[)\]])/g, '$1')

describe('the trigger functions that count rows', () => {
  test.each(Object.entries(countedLists))('match the descriptor of %s', async (list, { status, head, divisions }) => {
    const { rows } = await database.pool.query<{ body: string }>(
      'select prosrc as body from pg_proc where proname = $1',
      [`count_${list}`],
    )
    const body = withoutLayout(rows[0]!.body)
    const buckets = Object.values(divisions).map(({ ofRow }) => ofRow)
    const counted = `'${list}', ${status}, ${head}, ARRAY[${buckets.join(', ')}]`
    const of = (row: string) => counted.replaceAll(/\br\./g, `${row}.`)
    expect(body).toContain(`SELECT ${counted}`)
    expect(body).toContain(`VALUES (${of('OLD')}, -1), (${of('NEW')}, 1)`)
    expect(body.split('ARRAY[')).toHaveLength(list === 'line_jobs' ? 4 : 5)
  })

  test('do not exist for any other list', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select substr(proname, 7) as name from pg_proc where proname like 'count\\_%' and pronamespace = 'public'::regnamespace order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(countedLists).sort())
  })
})
