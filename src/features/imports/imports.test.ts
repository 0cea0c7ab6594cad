import { and, eq, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInvoice } from '#features/billing/contract.ts'
import type { Plan } from '#features/catalog/contract.ts'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { auditLog, creditTransactions, importRows, lineJobs, lines, mails, segments, users } from '#server/db/tables.ts'
import { buildApp, cheapHashing, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createUser } from '../../../test/harness/factories.ts'
import {
  type ImportCells,
  importHeadings,
  importing,
  importMapping,
  importRow,
  inDays,
} from '../../../test/harness/import-files.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { getImport, removeImport } from './admin-contract.ts'
import { findUsedAccounts } from './server/service/find-used-accounts.ts'
import { removeOldImports } from './server/service/remove-import.ts'

let app: TestApp
let admin: SignedIn
let plan: Plan
let files: ReturnType<typeof importing>
beforeAll(async () => {
  app = await buildApp({ passwords: cheapHashing })
  admin = await app.signInAdmin({ username: 'owner' })
  files = importing(app, admin)
  plan = await createPlan(app.db, { name: 'Moved Beast', price: 3_000, months: 1, connections: 7 })
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

describe('requests that are refused, with the reason', () => {
  test.each([
    ['blanks', ' \n ', 400, 'empty'],
    ['a spreadsheet', 'PK\u0003\u0004\u0000\u0000', 400, 'binary'],
    ['a file without columns', 'hello\nworld\n', 400, 'no_table'],
    ['headings only', importHeadings, 400, 'no_rows'],
    ['an unclosed quotation mark', `${importHeadings}\n"jane`, 400, 'broken_quotes'],
    ['too many rows', `a,b\n${'1,2\n'.repeat(60_001)}`, 400, 'too_many_rows'],
  ])('%s', async (_, text, status, code) => {
    await expect(files.upload(text)).rejects.toMatchObject({ status, code })
  })

  test('an invalid mapping, and one with columns that the file does not have', async () => {
    const text = `${importHeadings}\n${importRow()}`
    for (const map of [{}, { ...importMapping, decimal: ';' }, { ...importMapping, credit: 'Balance' }])
      await expect(files.upload(text, map)).rejects.toMatchObject({ status: 400, code: 'invalid_mapping' })
  })

  test('calls with the id of a run that does not exist', async () => {
    for (const call of [files.apply, files.undo, (runId: number) => admin.client.call(getImport, files.params(runId))])
      await expect(call(999_999)).rejects.toMatchObject({ status: 404 })
  })
})

describe('the verdict of each row', () => {
  test('has the row number and the reason; no account is changed', async () => {
    await createUser(app.db, { username: 'HereAlready', email: 'Here@example.org' })
    const holder = await createUser(app.db, {})
    await app.db.insert(lines).values({ userId: holder.id, username: 'taken-line', password: 'v1:soon' })
    const count = await app.db.$count(users)
    const paid = { plan: 'Moved Beast', until: inDays(9) }
    const cases: [ImportCells, string | null][] = [
      [{ email: '' }, 'email_missing'],
      [{ email: 'jane@' }, 'email'],
      [{ email: 'here@EXAMPLE.org' }, 'exists'],
      [{ user: 'herealready' }, 'username_taken'],
      [{ user: 'a b' }, 'username'],
      [{ user: 'Support' }, 'username_reserved'],
      [{ email: 'twice@example.org' }, null],
      [{ email: 'Twice@example.org' }, 'email_repeated'],
      [{ user: 'twice' }, null],
      [{ user: 'TWICE' }, 'username_repeated'],
      [{ name: 'x'.repeat(101) }, 'full_name'],
      [{ name: 'Jane\u202e' }, 'text'],
      [{ hash: 'secret' }, 'password_hash'],
      [{ hash: '5f4dcc3b5aa765d61d8327deb882cf99' }, 'password_hash'],
      [{ hash: `$2y$13$${'a'.repeat(53)}` }, 'password_hash'],
      [{ hash: '$argon2id$v=19$m=1048576,t=9,p=1$c29tZXNhbHRzb21l$aW1wb3NzaWJsZWltcG9zc2libGU' }, 'password_hash'],
      [{ credit: 'twelve' }, 'credit'],
      [{ credit: '-1.00' }, 'credit_negative'],
      [{ credit: '100000.01' }, 'credit_too_high'],
      [{ plan: 'Moved Beast' }, 'paid_until_missing'],
      [{ until: inDays(9) }, 'plan_missing'],
      [{ plan: 'Other Beast', until: inDays(9) }, 'plan_unknown'],
      [{ plan: 'Moved Beast', until: '2026-02-30' }, 'paid_until'],
      [{ plan: 'Moved Beast', until: '2099-01-01' }, 'paid_until_range'],
      [{ line: 'only-a-name' }, 'line_incomplete'],
      [{ line: 'no-time', secret: 'x' }, 'line_without_time'],
      [{ line: 'taken-line', secret: 'x', ...paid }, 'line_taken'],
      [{ line: 'one-line', secret: 'x', ...paid }, null],
      [{ line: 'one-line', secret: 'y', ...paid }, 'line_repeated'],
    ]
    const run = await files.check(...cases.map(([cells]) => importRow(cells)))
    const verdict = (reason: string | null) => (reason === null ? 'create' : reason === 'exists' ? 'exists' : 'refused')
    expect(await files.verdictsOf(run.id)).toEqual(cases.map(([, reason], at) => [at + 2, verdict(reason), reason]))
    expect(run.counts).toMatchObject({ create: 3, exists: 1, refused: 25 })
    expect(await app.db.$count(users)).toBe(count)
    const [stored] = await app.db.select().from(importRows).where(eq(importRows.lineUsername, 'one-line'))
    expect(stored!.linePassword).toMatch(/^v\d+:/)
    const refused = await app.db.$count(
      importRows,
      and(eq(importRows.verdict, 'refused'), sql`password_hash is not null`),
    )
    expect(refused).toBe(0)
  })

  test('is deleted with its run on request, or after a week if the run was not applied', async () => {
    const [one, other] = [await files.check(importRow()), await files.check(importRow())]
    expect(await admin.client.call(removeImport, files.params(one.id))).toEqual({ removed: true })
    await expect(admin.client.call(getImport, files.params(one.id))).rejects.toMatchObject({ status: 404 })
    await app.db.execute(sql`update import_runs set created_at = now() - interval '8 days' where id = ${other.id}`)
    expect(await removeOldImports(app.db)).toBeGreaterThanOrEqual(1)
    await expect(admin.client.call(getImport, files.params(other.id))).rejects.toMatchObject({ status: 404 })
  })
})

describe('applying', () => {
  test('creates customers with credit, paid time and line, and sends no email and no panel request', async () => {
    const mailsBefore = await app.db.$count(mails)
    const until = inDays(20)
    const run = await files.check(
      importRow({
        user: 'whole',
        name: 'Whole Customer',
        credit: '12.50',
        plan: 'moved beast',
        until,
        line: 'xui-whole',
        secret: 'p4ss',
      }),
      importRow({ user: 'ended', plan: 'Moved Beast', until: inDays(-40), line: 'xui-ended', secret: 'p4ss' }),
      importRow({ user: 'bare' }),
    )
    expect(run.totals).toEqual({ credit: 1_250, subscriptions: 2, lines: 2, invoiced: 0 })
    const applied = await files.apply(run.id)
    expect([applied.state, applied.counts.created]).toEqual(['applied', 3])
    await expectInvariants(app.db)

    const whole = (await files.userOf('whole'))!
    expect(whole).toMatchObject({
      fullName: 'Whole Customer',
      accountCredit: 1_250,
      planId: plan.id,
      subscriptionStatus: 'active',
      subscriptionEndDate: `${until}T23:59:59.000Z`,
      iptvUsername: 'xui-whole',
      iptvSynced: true,
    })
    const [segment] = await app.db.select().from(segments).where(eq(segments.userId, whole.id))
    // The segment has the list price of the whole period, so that a plan change counts the remaining days.
    expect(segment).toMatchObject({ paidCents: 0, listCents: 3_000, months: 1, connections: 7, begun: true })
    expect(await files.userOf('ended')).toMatchObject({ subscriptionStatus: 'expired', planId: plan.id })
    expect(await files.userOf('bare')).toMatchObject({ subscriptionStatus: 'none', planId: null, accountCredit: 0 })

    const customer = await app.signIn('whole')
    expect(await customer.client.call(getOwnLine, {})).toMatchObject({
      state: 'ready',
      username: 'xui-whole',
      connections: 7,
    })
    expect(await app.db.$count(mails)).toBe(mailsBefore)
    expect(await app.db.$count(lineJobs, eq(lineJobs.userId, whole.id))).toBe(0)
    const secrets = await app.db.$count(
      importRows,
      and(eq(importRows.runId, run.id), sql`coalesce(password_hash, line_password) is not null`),
    )
    expect(secrets).toBe(0)
    expect(
      await app.db.$count(auditLog, and(eq(auditLog.action, 'user.import'), eq(auditLog.targetId, String(whole.id)))),
    ).toBe(1)
    await expect(files.apply(run.id)).rejects.toMatchObject({ status: 409, code: 'not_open' })
  })

  test('refuses a username that was taken after the check, marks a customer who registered after it as already here, and creates the others', async () => {
    const run = await files.check(
      importRow({ user: 'was-free' }),
      importRow({ email: 'was-free@example.org', user: 'also-free' }),
      importRow({ user: 'stays-free' }),
    )
    await createUser(app.db, { username: 'Was-Free', email: 'was-free@example.org' })
    const applied = await files.apply(run.id)
    expect(applied.counts).toMatchObject({ created: 1, exists: 1, refused: 1 })
    expect(await files.userOf('stays-free')).toBeDefined()
  })

  test('continues an interrupted import where it stopped, and refuses to start another import before it is finished', async () => {
    const run = await files.check(...Array.from({ length: 1_001 }, () => importRow()))
    const first = await files.apply(run.id)
    expect([first.state, first.counts.created, first.counts.create]).toEqual(['applying', 1_000, 1])
    const other = await files.check(importRow())
    await expect(files.apply(other.id)).rejects.toMatchObject({ status: 409, code: 'other_run' })
    const [one, two] = await Promise.allSettled([files.apply(run.id), files.apply(run.id)])
    expect([one.status, two.status].sort()).toEqual(['fulfilled', 'rejected'])
    expect(await admin.client.call(getImport, files.params(run.id))).toMatchObject({
      state: 'applied',
      counts: { created: 1_001, create: 0 },
    })
    await files.undo(run.id)
    expect(await files.undo(run.id)).toMatchObject({ state: 'undone', counts: { undone: 1_001 } })
    expect(await app.db.$count(users, like(users.username, 'removed-%'))).toBe(0)
  })
})

describe('undoing', () => {
  test('is refused with the names of the customers whose accounts were used, and changes nothing', async () => {
    const run = await files.check(
      importRow({ user: 'logs-in' }),
      importRow({ user: 'orders' }),
      importRow({ user: 'untouched', credit: '5' }),
    )
    await files.apply(run.id)
    await app.signIn('logs-in')
    const orders = await app.signIn('orders')
    await orders.client.call(createInvoice, { body: { planId: plan.id, email: 'a@example.org' } })
    await expect(files.undo(run.id)).rejects.toMatchObject({
      status: 409,
      code: 'built_on',
      serverMessage: expect.stringMatching(
        /^Nothing was undone: 2 customers are in use\. logs-in \(row 2\): the customer logged in; orders \(row 3\)/,
      ),
    })
    expect(await files.userOf('untouched')).toMatchObject({ accountCredit: 500 })
    const fresh = await files.check(importRow())
    await expect(files.undo(fresh.id)).rejects.toMatchObject({ status: 409, code: 'not_applied' })
    await expect(admin.client.call(removeImport, files.params(run.id))).rejects.toMatchObject({
      status: 409,
      code: 'applied',
    })
  })

  test('reads a large audit log at most twice instead of once for each customer, although nearly all entries have the same actor', async () => {
    const run = await files.check(...Array.from({ length: 200 }, () => importRow()))
    await files.apply(run.id)
    await app.db.execute(sql`
      insert into audit_log (actor_id, action, target_type, target_id)
      select ${admin.user.id}, 'import.check', 'import', '0' from generate_series(1, 5000)`)
    await app.db.execute(sql`analyze audit_log`)
    const entries = await app.db.$count(auditLog)
    const created = await app.db.select().from(importRows).where(eq(importRows.runId, run.id))
    const read = await app.db.transaction(async (tx) => {
      const used = await findUsedAccounts(
        tx,
        created.map(({ rowKey, userId }) => ({ rowKey, userId: userId! })),
      )
      expect(used).toEqual([])
      const { rows } = await tx.execute<{ read: number }>(
        sql`select seq_tup_read::int as read from pg_stat_xact_user_tables where relname = 'audit_log'`,
      )
      return rows[0]!.read
    })
    expect(read).toBeLessThanOrEqual(2 * entries)
    await files.undo(run.id)
  })

  test('removes customers, time and lines, and reverses credit, so that the file can be imported again', async () => {
    const rows = [
      importRow({ user: 'goes', plan: 'Moved Beast', until: inDays(5), line: 'xui-goes', secret: 'p' }),
      importRow({ user: 'goes-with-credit', credit: '7.00', plan: 'Moved Beast', until: inDays(5) }),
    ]
    const run = await files.check(...rows)
    await files.apply(run.id)
    const { id } = (await files.userOf('goes-with-credit'))!
    const undone = await files.undo(run.id)
    expect([undone.state, undone.counts.undone]).toEqual(['undone', 2])
    await expectInvariants(app.db)
    expect(await files.userOf('goes')).toBeUndefined()
    expect(await app.db.$count(lines, eq(lines.username, 'xui-goes'))).toBe(0)
    // The ledger is append-only, so an account with entries stays, without name and email address.
    expect((await app.db.select().from(users).where(eq(users.id, id)))[0]).toMatchObject({
      ...{
        username: `removed-${id}`,
        email: `removed-${id}@removed.invalid`,
        accountCredit: 0,
        subscriptionStatus: 'none',
      },
    })
    const booked = await app.db
      .select({ amount: creditTransactions.amount })
      .from(creditTransactions)
      .where(eq(creditTransactions.userId, id))
    expect(booked.map(({ amount }) => amount).sort()).toEqual([-700, 700])
    await expect(files.undo(run.id)).rejects.toMatchObject({ status: 409, code: 'not_applied' })
    const again = await files.check(...rows)
    expect((await files.apply(again.id)).counts.created).toBe(2)
  })
})
