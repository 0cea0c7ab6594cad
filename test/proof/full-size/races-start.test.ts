import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readMigrations } from '#server/db/migrate.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { loggedInUser } from '../../harness/http-user.ts'
import { expectInvariants } from '../../harness/invariants.ts'
import { proxyTo } from '../../harness/proxy.ts'
import { dataFolder, runApp } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { urlOf } from '../../harness/test-server.ts'

/** A tenth of RACE_ROUNDS: a start takes about as long as ten rounds of requests. */
const starts = Math.ceil(roundCount('RACE_ROUNDS', { full: 20 }) / 10)
const migrations = readMigrations(join(import.meta.dirname, '../../../migrations')).map(({ name }) => name)

test(
  'R13: when three processes start concurrently on an empty database, one migrates and all serve requests',
  async () => {
    for (let start = 0; start < starts; start++) {
      const [{ db, address, close }, data] = [await createTestDatabase({ empty: true }), dataFolder()]
      const admin = { username: 'first', password: 'starts-only-here' }
      const proxy = await proxyTo(address)
      const env = {
        DATABASE_URL: urlOf(proxy.address),
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
            await (await loggedInUser(each.value.url, admin)).send(each.value.url, 'GET', '/api/admin/users'),
          ).toMatchObject({ status: 200 })
        }
        await expectInvariants(db)
      } finally {
        for (const each of started) if (each.status === 'fulfilled') await each.value.stop()
        await proxy.close()
        data.remove()
        await close()
      }
    }
  },
  60_000 + starts * 60_000,
)
