import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeStartError } from '#server/start-errors.ts'
import { temporaryFolder } from '../harness/folders.ts'
import { loggedInUser } from '../harness/http-user.ts'
import { dataFolder, runApp } from '../harness/running-app.ts'
import { isFullSize } from '../harness/scale.ts'

const failure = (starting: Promise<unknown>) =>
  starting.then(
    () => 'it started',
    (error: Error) => error.message,
  )

test('a first start on a used port names the setting and prints the initial admin password, which works at the next start', async () => {
  const data = dataFolder()
  onTestFinished(data.remove)
  const other = createServer().listen(0, '0.0.0.0')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const output = await failure(
    runApp({ dataDir: data.path, firstStart: true, port, env: { SEED: 'empty', LOG_LEVEL: 'warn' } }),
  )
  other.close()
  expect(output).toContain(
    `PORT ${port} is used by another program on this machine. Stop that program or set another PORT.`,
  )
  expect(output).not.toMatch(/EADDRINUSE|at Server/)
  const [, password = ''] = /password {2}(\S+)/.exec(output) ?? []
  const app = await runApp({
    dataDir: data.path,
    env: { SEED: 'empty', LOG_LEVEL: 'warn', SMPT_URL: 'smtp://mail.example' },
  })
  onTestFinished(app.stop)
  await loggedInUser(app.url, { username: 'admin', password })
  expect(app.output()).toContain('SMPT_URL is not a setting and has no effect. Did you mean SMTP_URL?')
}, 60_000)

test('an unusable data folder is reported with the name of its setting', async () => {
  const file = join(temporaryFolder(), 'a-file')
  writeFileSync(file, '')
  expect(await failure(runApp({ dataDir: file, firstStart: true }))).toContain(
    `DATA_DIR ${file} cannot be used by this account (user id `,
  )
})

test.each([
  [{ code: 'EACCES', syscall: 'listen' }, /^This account may not listen on PORT 80\. Set a PORT of 1024 or above/],
  [{ code: 'EADDRNOTAVAIL', syscall: 'listen' }, /^HOST 192.0.2.1 is not an address of this machine/],
  [
    { code: 'EACCES', syscall: 'mkdir', path: '/srv/sauce/postgres' },
    /^DATA_DIR \/srv\/sauce cannot be used by this account \(user id \d+\): EACCES at \/srv\/sauce\/postgres\.$/,
  ],
  [{ code: 'EACCES', syscall: 'mkdir', path: '/srv' }, /^DATA_DIR \/srv\/sauce cannot be used/],
  [{ code: 'EACCES', syscall: 'open', path: '/etc/shadow' }, /^as it was$/],
])('%j is reported in one sentence', (error, sentence) => {
  expect(
    describeStartError(Object.assign(new Error('as it was'), error), {
      port: 80,
      host: '192.0.2.1',
      dataDir: '/srv/sauce',
    }),
  ).toMatch(sentence)
})

test.runIf(isFullSize).each([2, 1])(
  'a graceful stop of %i processes under load logs no lost connection',
  async (processes) => {
    const data = dataFolder()
    onTestFinished(data.remove)
    const app = await runApp({
      dataDir: data.path,
      env: { LOG_LEVEL: 'info', PROCESSES: String(processes), RATE_LIMIT_FACTOR: '1000' },
      remember: 5_000,
    })
    const busy = Array.from({ length: 30 }, () =>
      fetch(`${app.url}/api/forgot-password`, {
        method: 'POST',
        headers: { origin: app.url, 'content-type': 'application/json' },
        body: '{"email":"x@example.org"}',
      }).catch(() => undefined),
    )
    await Promise.all(busy)
    process.kill(app.pid, 'SIGTERM')
    await app.ended()
    expect(app.output()).toContain('shutting down')
    expect(app.output()).not.toMatch(/connection was lost|ECONN|terminating/)
  },
  90_000,
)
