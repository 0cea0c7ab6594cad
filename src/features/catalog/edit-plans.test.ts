import { and, desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { createInvoice, getInvoice } from '#features/billing/contract.ts'
import { auditLog, plans, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import {
  type AdminPlan,
  createPlan,
  deletePlan,
  listAllPlans,
  type PlanFields,
  planForm,
  updatePlan,
} from './admin-contract.ts'
import { listPlans } from './contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const fields: PlanFields = {
  tier: 2,
  connections: 1,
  price: 3_899,
  features: ['HD & 4K quality'],
  popular: false,
  hidden: false,
}
let free = 20
/** Creates a plan with a number of connections that no other plan has. */
const add = (overrides: Partial<PlanFields> = {}) =>
  admin.client.call(createPlan, { body: { ...fields, connections: free++, ...overrides } })
const edit = (
  { id, name: _n, months: _m, billing: _b, sold: _s, ...plan }: AdminPlan,
  overrides: Partial<PlanFields> = {},
) => admin.client.call(updatePlan, { params: { planId: id }, body: { ...plan, ...overrides } })
const remove = ({ id, version }: AdminPlan) =>
  admin.client.call(deletePlan, { params: { planId: id }, query: { version } })
const shown = async (id: number) => (await app.client().call(listPlans, {})).find((plan) => plan.id === id)
const entries = (id: number) =>
  app.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.targetType, 'plan'), eq(auditLog.targetId, String(id))))
    .orderBy(desc(auditLog.id))
/** Creates a draft invoice for a plan. Returns a function that reads the invoice. */
const buy = async (customer: SignedIn, planId: number) => {
  const { invoiceNumber } = await customer.client.call(createInvoice, {
    body: { planId, email: 'customer@example.org' },
  })
  return () => customer.client.call(getInvoice, { params: { invoiceNumber } })
}
const confirm = async (read: Awaited<ReturnType<typeof buy>>) => {
  const { invoice } = await read()
  await app.database.pool.query("UPDATE invoices SET status = 'pending' WHERE id = $1", [invoice.id])
  return admin.client.call(updateInvoice, {
    params: { invoiceId: invoice.id },
    body: { status: 'paid', paidAt: new Date().toISOString() },
  })
}

describe('changing plans rejects', () => {
  test('invalid values with the field path', async () => {
    const refusals: [Partial<PlanFields>, string][] = [
      [{ tier: 5 }, 'tier'],
      [{ connections: 0 }, 'connections'],
      [{ price: -1 }, 'price'],
      [{ price: 14.99 }, 'price'],
      [{ features: ['fine', ''] }, 'features.1'],
      [{ popular: true, hidden: true }, 'popular'],
    ]
    const before = await admin.client.call(listAllPlans, {})
    for (const [wrong, path] of refusals)
      await expect(add(wrong), path).rejects.toMatchObject({ status: 400, issues: [{ path }] })
    expect(await admin.client.call(listAllPlans, {})).toEqual(before)
  })

  test('a stale change', async () => {
    const opened = await add()
    await edit(opened, { price: 100 })
    await expect(edit(opened, { price: 200 })).rejects.toMatchObject({ status: 409, code: 'stale' })
    await expect(remove(opened)).rejects.toMatchObject({ status: 409, code: 'stale' })
    expect(await shown(opened.id)).toMatchObject({ price: 100 })
  })

  test('a second plan on sale with the same group and connections, whether created or shown again', async () => {
    const first = await add()
    await expect(add({ connections: first.connections })).rejects.toMatchObject({
      status: 409,
      code: 'plan_on_sale_already',
    })
    const hiddenPlan = await add({ connections: first.connections, hidden: true })
    await expect(edit(hiddenPlan, { hidden: false })).rejects.toMatchObject({
      status: 409,
      code: 'plan_on_sale_already',
    })
    await edit(first, { hidden: true })
    expect(await edit(hiddenPlan, { hidden: false })).toMatchObject({ hidden: false, name: first.name })
  })

  test('the deletion of a plan that an invoice, a subscription or an inquiry refers to', async () => {
    const [drafted, subscribed, inquired] = [await add(), await add(), await add()]
    await buy(await app.signIn(), drafted.id)
    await app.signIn({ planId: subscribed.id })
    await app.database.pool.query(
      "INSERT INTO inquiries (name, email, plan_id, message) VALUES ('Ann', 'ann@example.org', $1, 'Does it have golf?')",
      [inquired.id],
    )
    for (const plan of [drafted, subscribed, inquired])
      await expect(remove(plan)).rejects.toMatchObject({ status: 409, code: 'plan_sold' })
    const all = await admin.client.call(listAllPlans, {})
    for (const { id } of [drafted, subscribed, inquired])
      expect(all.find((plan) => plan.id === id)).toMatchObject({ sold: true })
  })

  test('a change of the group or connections of a sold plan', async () => {
    const plan = await add()
    await buy(await app.signIn(), plan.id)
    for (const other of [{ tier: 3 }, { connections: 99 }])
      await expect(edit(plan, other)).rejects.toMatchObject({ status: 409, code: 'plan_sold' })
  })

  test('an unknown plan', async () => {
    const plan = await add()
    await remove(plan)
    await expect(edit(plan)).rejects.toMatchObject({ status: 404 })
    await expect(remove(plan)).rejects.toMatchObject({ status: 404 })
  })
})

describe('a plan', () => {
  test('is named by its group and connections, and is public immediately', async () => {
    const plan = await add({ tier: 3, connections: 7, price: 12_345 })
    expect(await shown(plan.id)).toMatchObject({
      name: 'Big Beast: 6 Months, 7 Connections',
      months: 6,
      billing: '6 months',
      price: 12_345,
    })
    const moved = await edit(plan, { tier: 1, connections: 8 })
    expect(moved).toMatchObject({ name: 'Little Beast: 8 Connections', months: 1, billing: 'month', version: 2 })
  })

  test('is audited with the change and the administrator; saving it unchanged does nothing', async () => {
    const plan = await add()
    const changed = await edit(plan, { price: 4_000 })
    expect(await edit(changed)).toEqual(changed)
    expect(await entries(plan.id)).toMatchObject([
      {
        action: 'plan.update',
        actorId: admin.user.id,
        before: { price: 3_899 },
        after: { price: 4_000 },
        requestId: expect.any(String),
      },
      { action: 'plan.create', actorId: admin.user.id, before: null },
    ])
  })

  test('replaces the popular plan of its group, and both changes are audited', async () => {
    const first = await add({ tier: 4, popular: true })
    const second = await add({ tier: 4, popular: true })
    expect([(await shown(first.id))?.popular, (await shown(second.id))?.popular]).toEqual([false, true])
    expect((await entries(first.id))[0]).toMatchObject({ before: { popular: true }, after: { popular: false } })
    await expect(edit(first, { popular: true })).rejects.toMatchObject({ code: 'stale' })
  })

  test('is the only popular plan of its group after concurrent changes', async () => {
    const candidates = await Promise.all([add({ tier: 3 }), add({ tier: 3 }), add({ tier: 3 })])
    await Promise.allSettled(candidates.map((plan) => edit(plan, { popular: true })))
    const popular = await app.db
      .select()
      .from(plans)
      .where(and(eq(plans.tier, 3), eq(plans.popular, true)))
    expect(popular).toHaveLength(1)
  })

  test('that was never sold is deleted', async () => {
    const plan = await add()
    expect(await remove(plan)).toEqual({ id: plan.id })
    expect(await shown(plan.id)).toBeUndefined()
    expect((await entries(plan.id))[0]).toMatchObject({ action: 'plan.delete', before: { price: 3_899 } })
  })
})

describe('a sold plan', () => {
  test('keeps name, months, connections and amount on existing invoices', async () => {
    const plan = await add({ price: 5_000 })
    const customer = await app.signIn()
    const read = await buy(customer, plan.id)
    const { invoice: before } = await read()
    await confirm(read)
    await edit((await admin.client.call(listAllPlans, {})).find(({ id }) => id === plan.id)!, {
      price: 9_000,
      features: ['Other'],
      hidden: true,
    })
    const { invoice: after, lines } = await read()
    expect(after).toMatchObject({ status: 'paid', amount: 5_000, planName: before.planName })
    expect(lines).toMatchObject([{ kind: 'plan', amount: 5_000 }])
    await expectInvariants(app.db)
  })

  test('that is hidden cannot be bought, while earlier orders can be confirmed and subscriptions continue', async () => {
    const plan = await add({ price: 5_000 })
    const customer = await app.signIn()
    const read = await buy(customer, plan.id)
    await edit(plan, { hidden: true })
    await expect(buy(await app.signIn(), plan.id)).rejects.toMatchObject({ status: 404 })
    expect(await shown(plan.id)).toBeUndefined()
    await confirm(read)
    const [subscriber] = await app.db.select().from(users).where(eq(users.id, customer.user.id))
    expect(subscriber).toMatchObject({
      planId: plan.id,
      subscriptionStatus: 'active',
      iptvMaxConnections: plan.connections,
    })
    await expectInvariants(app.db)
  })
})

describe('a typed price', () => {
  const typed = (price: string) => planForm.safeParse({ ...fields, price })
  test('must be an amount in dollars', () => {
    for (const wrong of ['', 'free', '-1', '1.999', '14,99', '1e3', '99999999'])
      expect(typed(wrong).error?.issues[0], wrong).toMatchObject({
        path: ['price'],
        message: expect.stringMatching(/^Please enter/),
      })
  })

  test('is converted to exact cents', () => {
    expect(['14.99', '$1,299', '7', '0.1', ' 19.90 '].map((price) => typed(price).data?.price)).toEqual([
      1_499, 129_900, 700, 10, 1_990,
    ])
  })
})
