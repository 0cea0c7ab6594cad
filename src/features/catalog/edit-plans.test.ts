import { and, desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { createInvoice, getInvoice } from '#features/billing/contract.ts'
import { auditLog, plans, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { expectBooksToBalance } from '../../../test/harness/invariants.ts'
import {
  type AdminPlan,
  createPlan,
  deletePlan,
  listAllPlans,
  listPlans,
  type PlanFields,
  planForm,
  updatePlan,
} from './contract.ts'

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
/** A plan at a place of its own. */
const add = (given: Partial<PlanFields> = {}) =>
  admin.client.call(createPlan, { body: { ...fields, connections: free++, ...given } })
const edit = (
  { id, name: _n, months: _m, billing: _b, sold: _s, ...plan }: AdminPlan,
  given: Partial<PlanFields> = {},
) => admin.client.call(updatePlan, { params: { planId: id }, body: { ...plan, ...given } })
const remove = ({ id, version }: AdminPlan) =>
  admin.client.call(deletePlan, { params: { planId: id }, query: { version } })
const shown = async (id: number) => (await app.client().call(listPlans, {})).find((plan) => plan.id === id)
const entries = (id: number) =>
  app.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.targetType, 'plan'), eq(auditLog.targetId, String(id))))
    .orderBy(desc(auditLog.id))
/** A customer's draft for a plan, or what became of it. */
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

describe('changing plans refuses', () => {
  test('what does not fit, and names the field', async () => {
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

  test('to overwrite what somebody else changed meanwhile', async () => {
    const opened = await add()
    await edit(opened, { price: 100 })
    await expect(edit(opened, { price: 200 })).rejects.toMatchObject({ status: 409, code: 'stale' })
    await expect(remove(opened)).rejects.toMatchObject({ status: 409, code: 'stale' })
    expect(await shown(opened.id)).toMatchObject({ price: 100 })
  })

  test('a second plan on sale with the same connections in a group, made or shown again', async () => {
    const first = await add()
    await expect(add({ connections: first.connections })).rejects.toMatchObject({
      status: 409,
      code: 'plan_on_sale_already',
    })
    const kept = await add({ connections: first.connections, hidden: true })
    await expect(edit(kept, { hidden: false })).rejects.toMatchObject({ status: 409, code: 'plan_on_sale_already' })
    await edit(first, { hidden: true })
    expect(await edit(kept, { hidden: false })).toMatchObject({ hidden: false, name: first.name })
  })

  test('to delete a plan that an invoice, a subscription or an inquiry refers to', async () => {
    const [drafted, subscribed, asked] = [await add(), await add(), await add()]
    await buy(await app.signIn(), drafted.id)
    await app.signIn({ planId: subscribed.id })
    await app.database.pool.query(
      "INSERT INTO inquiries (name, email, plan_id, message) VALUES ('Ann', 'ann@example.org', $1, 'Does it have golf?')",
      [asked.id],
    )
    for (const plan of [drafted, subscribed, asked])
      await expect(remove(plan)).rejects.toMatchObject({ status: 409, code: 'plan_sold' })
    const all = await admin.client.call(listAllPlans, {})
    for (const { id } of [drafted, subscribed, asked])
      expect(all.find((plan) => plan.id === id)).toMatchObject({ sold: true })
  })

  test('to make another plan of one that was sold', async () => {
    const plan = await add()
    await buy(await app.signIn(), plan.id)
    for (const other of [{ tier: 3 }, { connections: 99 }])
      await expect(edit(plan, other)).rejects.toMatchObject({ status: 409, code: 'plan_sold' })
  })

  test('a plan there is none of', async () => {
    const plan = await add()
    await remove(plan)
    await expect(edit(plan)).rejects.toMatchObject({ status: 404 })
    await expect(remove(plan)).rejects.toMatchObject({ status: 404 })
  })
})

describe('a plan', () => {
  test('is named by its group and connections, and everybody sees it at once', async () => {
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

  test('is noted with what changed, by whom; saving it as it is changes nothing', async () => {
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

  test('takes the mark of the popular one from the other in its group, and both are noted', async () => {
    const first = await add({ tier: 4, popular: true })
    const second = await add({ tier: 4, popular: true })
    expect([(await shown(first.id))?.popular, (await shown(second.id))?.popular]).toEqual([false, true])
    expect((await entries(first.id))[0]).toMatchObject({ before: { popular: true }, after: { popular: false } })
    await expect(edit(first, { popular: true })).rejects.toMatchObject({ code: 'stale' })
  })

  test('is popular once a group, however many administrators choose at the same moment', async () => {
    const rivals = await Promise.all([add({ tier: 3 }), add({ tier: 3 }), add({ tier: 3 })])
    await Promise.allSettled(rivals.map((plan) => edit(plan, { popular: true })))
    const popular = await app.db
      .select()
      .from(plans)
      .where(and(eq(plans.tier, 3), eq(plans.popular, true)))
    expect(popular).toHaveLength(1)
  })

  test('that nobody bought goes away for good', async () => {
    const plan = await add()
    expect(await remove(plan)).toEqual({ id: plan.id })
    expect(await shown(plan.id)).toBeUndefined()
    expect((await entries(plan.id))[0]).toMatchObject({ action: 'plan.delete', before: { price: 3_899 } })
  })
})

describe('what was sold stays as it was sold', () => {
  test('no invoice changes with its plan: name, months, connections and amount are its own', async () => {
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
    await expectBooksToBalance(app.db)
  })

  test('a hidden plan cannot be bought, while what was ordered before is confirmed and the subscription goes on', async () => {
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
    await expectBooksToBalance(app.db)
  })
})

describe('a price as it is typed', () => {
  const typed = (price: string) => planForm.safeParse({ ...fields, price })
  test('is refused unless it is an amount in dollars', () => {
    for (const wrong of ['', 'free', '-1', '1.999', '14,99', '1e3', '99999999'])
      expect(typed(wrong).error?.issues[0], wrong).toMatchObject({
        path: ['price'],
        message: expect.stringMatching(/^Please enter/),
      })
  })

  test('becomes exact cents', () => {
    expect(['14.99', '$1,299', '7', '0.1', ' 19.90 '].map((price) => typed(price).data?.price)).toEqual([
      1_499, 129_900, 700, 10, 1_990,
    ])
  })
})
