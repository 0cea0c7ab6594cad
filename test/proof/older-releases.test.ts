// Upgrading from an earlier release needs only a start of the new release.
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../harness/database.ts'
import { loggedInUser } from '../harness/http-user.ts'
import { loadRelease } from '../harness/old-release.ts'
import { runCliWith } from '../harness/run-cli.ts'
import { dataFolder, runApp } from '../harness/running-app.ts'
import { sampled } from '../harness/scale.ts'
import { urlOf } from '../harness/test-server.ts'

/** The short form leaves out the older release: `paid-time-conversion.test.ts` migrates its rows. */
test.each(
  sampled(
    [
      ['0042', true],
      ['0033', false],
    ] as const,
    2,
  ),
)(
  'the first start migrates a database of the release with migration %s, and all invariants hold',
  async (release, verbatim) => {
    const database = await createTestDatabase({ empty: true })
    onTestFinished(database.close)
    const client = await database.pool.connect()
    await loadRelease(release, client, { verbatim })
    const { rows } = await client.query<{ users: number }>('select count(*)::int as users from users')
    client.release()
    const data = dataFolder()
    onTestFinished(data.remove)
    const settings = { DATA_DIR: data.path, DATABASE_URL: urlOf(database.address) }
    const app = await runApp({ dataDir: data.path, env: { ...settings, LOG_LEVEL: 'warn' } })
    try {
      const created = await runCliWith(settings, 'admin', 'create', 'upgrader', 'upgrader@example.org')
      expect(created.status, created.stderr).toBe(0)
      await database.pool.query("update users set must_change_password = false where username = 'upgrader'")
      const admin = await loggedInUser(app.url, {
        username: 'upgrader',
        password: created.stdout.trim().split('\n').at(-1)!,
      })
      const page = await admin.send(app.url, 'GET', '/api/admin/users?pageSize=100')
      expect(page.status, JSON.stringify(page.body)).toBe(200)
      expect(page.body).toHaveLength(rows[0]!.users + 1)
      expect(await runCliWith(settings, 'reconcile')).toMatchObject({ status: 0, stderr: '' })
    } finally {
      await app.stop()
    }
  },
  90_000,
)
