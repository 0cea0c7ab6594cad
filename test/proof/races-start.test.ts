import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Address } from '#server/db/connect.ts'
import { readMigrations } from '#server/db/migrate.ts'
import { createTestDatabase } from '../harness/database.ts'
import { personAt } from '../harness/http-person.ts'
import { expectBooksToBalance } from '../harness/invariants.ts'
import { proxyTo } from '../harness/proxy.ts'
import { dataFolder, runApp } from '../harness/running-app.ts'
import { rounds } from '../harness/scale.ts'

/** A start costs what fifty requests cost; more with RACE_ROUNDS. */
const starts = Math.ceil(rounds('RACE_ROUNDS', { short: 1, full: 20 }) / 10)
const urlOf = (address: Address): string =>
  typeof address === 'string'
    ? address
    : `postgres://${address.user}@${address.host}:${address.port}/${address.database}`
const migrations = readMigrations(join(import.meta.dirname, '../../migrations')).map(({ name }) => name)

test(
  'R13: of three processes that start at once on an empty database one migrates, and all serve',
  async () => {
    for (let start = 0; start < starts; start++) {
      const [{ db, address, close }, data] = [await createTestDatabase({ empty: true }), dataFolder()]
      const admin = { username: 'first', password: 'starts-only-here' }
      const passage = await proxyTo(address)
      const env = {
        DATABASE_URL: urlOf(passage.address),
        ADMIN_USERNAME: admin.username,
        ADMIN_PASSWORD: admin.password,
        LOG_LEVEL: 'error',
        SEED: 'sample',
      }
      const started = await Promise.allSettled(Array.from({ length: 3 }, () => runApp({ dataDir: data.path, env })))
      try {
        expect(started.filter(({ status }) => status === 'rejected')).toEqual([])
        const { rows } = await db.execute<{ name: string }>(sql`SELECT name FROM migrations ORDER BY name`)
        expect(rows.map(({ name }) => name)).toEqual(migrations)
        const counts = await db.execute(
          sql`SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM plans) AS plans`,
        )
        expect(counts.rows).toEqual([{ users: 1, plans: 20 }])
        for (const each of started) {
          if (each.status === 'rejected') throw each.reason
          expect((await fetch(`${each.value.url}/readyz`)).status).toBe(200)
          expect(
            await (await personAt(each.value.url, admin)).send(each.value.url, 'GET', '/api/admin/users'),
          ).toMatchObject({ status: 200 })
        }
        await expectBooksToBalance(db)
      } finally {
        for (const each of started) if (each.status === 'fulfilled') await each.value.stop()
        await passage.close()
        data.remove()
        await close()
      }
    }
  },
  60_000 + starts * 60_000,
)
