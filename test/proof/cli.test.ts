import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loggedInUser } from '../harness/http-user.ts'
import { runCli } from '../harness/run-cli.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { sampled } from '../harness/scale.ts'

const data = dataFolder()
let app: RunningApp
beforeAll(async () => {
  app = await runApp({
    dataDir: data.path,
    env: {
      ADMIN_USERNAME: 'first',
      ADMIN_PASSWORD: 'the-first-of-all',
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'warn',
      SEED: 'sample',
    },
  })
}, 60_000)
afterAll(async () => {
  await app.stop()
  data.remove()
})

async function cli(...args: string[]) {
  const ended = await runCli(data.path, ...args)
  return { ...ended, password: ended.stdout.trim().split('\n').at(-1)! }
}

test('an unknown command prints the usage and exits with 2', async () => {
  const { status, stdout } = await cli('user', 'delete')
  expect(status).toBe(2)
  for (const usage of [
    'admin create USERNAME EMAIL',
    'user reset',
    'reconcile',
    'payments import FILE',
    'payments rematch',
    'payments explain REF',
    'mailbox test',
    'jobs',
    'backup [--to FILE]',
    'import FILE [--invoices]',
    'restore FILE',
    'rotate-key',
    'seed',
  ])
    expect(stdout).toContain(usage)
})

const refused = [
  ['user', 'reset', 'first', '--two-stpe'],
  ['user', 'reset', 'first', 'second'],
  ['user', 'reset'],
  ['admin', 'create', 'second', 'second@example.org', '--force'],
  ['reconcile', '--fix'],
  ['jobs', 'all'],
  ['backup', '--tp', 'file'],
  ['restore', 'file', '--unverifed'],
  ['restore'],
  ['rotate-key', '--leave'],
  ['seed', 'empty'],
  ['go-live', '--now'],
  ['payments', 'import'],
  ['payments', 'import', 'file', '--dry'],
  ['payments', 'explain'],
  ['mailbox', 'test', 'now'],
  ['import', 'file', '--aply'],
]
test.each(sampled(refused, 4))('%s %s %s %s prints its usage, exits with 2 and does nothing', async (...args) => {
  const { status, stdout, stderr } = await cli(...args)
  expect([status, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(new RegExp(`Usage: npm run cli -- ${args[0]}`)),
  ])
})

test('a refused reset leaves the password as it was', async () => {
  await cli('user', 'reset', 'first', '--two-stpe')
  await loggedInUser(app.url, { username: 'first', password: 'the-first-of-all' })
})

test('an administrator is not created with a username that is taken or with an invalid username or email address', async () => {
  expect(await cli('admin', 'create', 'First', 'new@example.org')).toMatchObject({
    status: 1,
    stderr: 'The username First is taken.\n',
  })
  expect(await cli('admin', 'create', 'x', 'nobody')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Username must be at least 3 characters'),
  })
})

test('a created administrator logs in with the printed password and must change it', async () => {
  const { status, password } = await cli('admin', 'create', 'second', 'second@example.org')
  expect(status).toBe(0)
  const second = await loggedInUser(app.url, { username: 'second', password })
  expect(await second.send(app.url, 'GET', '/api/admin/users')).toMatchObject({
    status: 403,
    body: { code: 'must_change_password' },
  })
})

test('a reset ends the sessions of the user, who can log in with the new password', async () => {
  const buyer = await loggedInUser(app.url)
  const { status, password } = await cli('user', 'reset', `${buyer.name}@EXAMPLE.org`)
  expect(status).toBe(0)
  expect((await buyer.send(app.url, 'GET', '/api/user')).status).toBe(401)
  await loggedInUser(app.url, { username: buyer.name, password })
  expect(await cli('user', 'reset', 'nobody-at-all')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'No user has the username or email address nobody-at-all.\n',
  })
})

test('reconcile checks every invariant, and jobs lists upcoming runs', async () => {
  const reconciled = await cli('reconcile')
  expect([reconciled.status, reconciled.stdout.includes('✗'), reconciled.stdout]).toEqual([
    0,
    false,
    expect.stringContaining('✓ a balance is the sum of its ledger'),
  ])
  expect((await cli('jobs')).stdout).toMatch(
    /Latest runs[\s\S]*Due in the next 30 days[\s\S]*expire-subscriptions\n {4}nothing/,
  )
})

test('seed inserts nothing into a catalog with plans, and says so', async () => {
  expect(await cli('seed')).toMatchObject({
    status: 0,
    stdout: 'Nothing was inserted: a catalog exists.\n',
  })
})

test('a statement is previewed, recorded once on behalf of an administrator, and its payment explained', async () => {
  const file = join(data.path, 'cash.csv')
  const head =
    '"Transaction ID","Date","Transaction Type","Currency","Amount","Fee","Net Amount","Status","Notes","Name of sender/receiver"'
  const row = (id: string, currency: string) =>
    `"${id}","2026-11-20 09:02:11 EST","Received P2P","${currency}","$30","$0","$30","PAYMENT DEPOSITED","for ORD-7F3K2G","Dana Whitfield"`
  writeFileSync(file, [head, row('cli1', 'USD'), row('cli2', 'EUR')].join('\n'))
  for (const options of [
    ['--dry-run', '--as', 'first'],
    ['--as', 'nobody'],
  ]) {
    const { status, stderr } = await cli('payments', 'import', file, ...options)
    expect([status, stderr]).toEqual([1, expect.stringMatching(/--dry-run|no administrator/)])
  }
  const dry = await cli('payments', 'import', file, '--dry-run')
  expect(dry).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^1 new \(0 exact, 1 to check\), 0 known, 1 left out/),
  })
  expect(dry.stdout).toContain('row 3: EUR 30.00 from Dana Whitfield skipped, Not in US dollars')
  const recorded = await cli('payments', 'import', file, '--as', 'first')
  expect(recorded.stdout).toContain('Recorded 1 payment, $30.00 in total.')
  const again = await cli('payments', 'import', file, '--as', 'first')
  expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(/already uploaded/)])
  expect((await cli('payments', 'rematch')).stdout).toContain('Compared 1 payment with the open orders.')
  const { stdout } = await cli('payments', 'explain', 'cli1')
  expect(stdout).toMatch(/^Payment #\d+: \$30\.00, Cash App, .*, open/)
  expect(stdout).toContain('No order is likely.')
  expect((await cli('payments', 'explain', 'cli2')).status).toBe(1)
  const mailbox = await cli('mailbox', 'test')
  expect([mailbox.status, mailbox.stdout]).toEqual([1, expect.stringMatching(/enter the password/)])
})

test('customers are imported only with --apply and once, on behalf of an administrator; refused rows are named', async () => {
  const file = join(data.path, 'customers.csv')
  writeFileSync(file, 'Email,Username,Credit\nmoved@example.org,moved,12.50\nno-address,broken,0\n')
  expect(await cli('import', file, '--as', 'stranger')).toMatchObject({
    status: 1,
    stderr: 'stranger is not an administrator.\n',
  })
  const checked = await cli('import', file)
  expect(checked).toMatchObject({ status: 0, stdout: expect.stringContaining('Nothing was created.') })
  expect(checked.stdout).toContain('1 to create (0 with paid time, 0 with a line, $12.50 of credit)')
  expect(checked.stdout).toContain('row 3: no-address')
  const search = async () => {
    const admin = await loggedInUser(app.url, { username: 'first', password: 'the-first-of-all' })
    return (await admin.send(app.url, 'GET', '/api/admin/users?search=moved@example.org')).body
  }
  expect(await search()).toEqual([])
  expect((await cli('import', file, '--apply')).stdout).toContain('Done: 1 created, 0 already here, 1 refused.')
  expect(await search()).toMatchObject([{ username: 'moved', accountCredit: 1250 }])
  expect((await cli('import', file, '--apply')).stdout).toContain('Done: 0 created, 1 already here, 1 refused.')

  const invoices = join(data.path, 'invoices.csv')
  writeFileSync(invoices, 'Email,Number,Date,Total,State of it\nmoved@example.org,A-1,2024-01-31,15.00,Paid\n')
  expect((await cli('import', invoices, '--invoices')).stderr).toContain('No column seems to contain Status')
  writeFileSync(
    invoices,
    'Email,Number,Date,Total,Status\nmoved@example.org,A-1,2024-01-31,15.00,Paid\n,A-2,2024-01-31,1,Paid\n',
  )
  const done = await cli('import', invoices, '--invoices', '--apply')
  expect(done.stdout).toContain('1 to create ($15.00 in total)')
  expect(done.stdout).toContain('row 3: A-2')
  expect(done.stdout).toContain('Done: 1 created, 0 already here, 1 refused.')
})
