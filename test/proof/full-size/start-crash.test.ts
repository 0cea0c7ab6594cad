// The app is killed at random times during its first start, while it migrates and seeds. The next start completes the work without duplicates.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../harness/database.ts'
import { loggedInUser } from '../../harness/http-user.ts'
import { dataFolder, runApp } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { urlOf } from '../../harness/test-server.ts'

const kills = roundCount('START_KILLS', { full: 2 })
const admin = { username: 'admin', password: 'start-only-here' }

/** Starts on an empty database, after starts that are killed at `killAfterMs`. Returns the row counts and the time to the first page. */
async function firstStart(killAfterMs: number[]): Promise<{ left: unknown; ms: number }> {
  const data = dataFolder()
  const database = await createTestDatabase({ empty: true })
  const env = {
    DATABASE_URL: urlOf(database.address),
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    SEED: 'sample',
    LOG_LEVEL: 'warn',
  }
  try {
    for (const ms of killAfterMs) {
      const dying = runApp({
        dataDir: data.path,
        env,
        onStart: (pid) => void sleep(ms).then(() => process.kill(pid, 'SIGKILL')),
      })
      // On a fast machine the app serves requests before it is killed.
      const ended = await dying.then(
        ({ ended }) => ended(),
        (error: Error) => error.message,
      )
      expect(ended).toMatch(/SIGKILL|did not start/)
    }
    const app = await runApp({ dataDir: data.path, env })
    try {
      await loggedInUser(app.url, admin)
      const { rows } = await database.pool.query(
        `select (select count(*)::int from plans) as plans, (select count(*)::int from users) as users, (select count(*)::int from information_schema.columns where table_schema = 'public') as columns`,
      )
      return { left: rows[0], ms: app.readyMs }
    } finally {
      await app.stop()
    }
  } finally {
    await database.close()
    data.remove()
  }
}

test(
  `${kills} kills of first starts: the next start leaves the same data as an uninterrupted start`,
  async () => {
    const { left, ms } = await firstStart([])
    for (let done = 0; done < kills; done += 3) {
      const moments = Array.from({ length: Math.min(3, kills - done) }, () => randomInt(50, Math.ceil(ms)))
      expect((await firstStart(moments)).left, `killed after ${moments.join(', ')} ms`).toEqual(left)
    }
  },
  60_000 + kills * 20_000,
)
