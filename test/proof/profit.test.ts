import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '#server/db/connect.ts'
import { previewTransaction } from '#server/db/preview-transaction.ts'
import { Refusal } from '#server/errors.ts'
import type { SessionUser } from '#server/session/session.ts'
import { checkInvariants } from '../../src/all-invariants.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { createPlan, createUser, type NewUser } from '../harness/factories.ts'
import { wealthOf } from '../harness/profit-measure.ts'
import { nowOf, possibleActions, type Search, type SearchAction } from '../harness/profit-world.ts'
import { roundCount } from '../harness/scale.ts'

// A customer tries to profit: at each step they take the action that increases their assets most, or sometimes a random action, since some
// gains need a preceding action without a gain. Each search runs in a transaction that is rolled back, and each action runs in a savepoint.
const searches = roundCount('PROFIT_SEARCHES', { short: 1, full: 50 })
const steps = Number(process.env.PROFIT_STEPS ?? 40)
const firstSeed = Number(process.env.PROFIT_SEED ?? 1)
/** The kinds of action that all searches are limited to, one bit each in the order of `possibleActions`; 0 leaves the choice to each search. */
const fixedKinds = Number(process.env.PROFIT_KINDS ?? 0)
const actionsPerStep = 4
const everyKind = 2 ** 12 - 1
const waiting = 1 << 9

let app: TestApp
let plans: Search['plans']
let prices: [number, number][]
beforeAll(async () => {
  app = await buildApp({ clock: true, config: { logLevel: 'silent' } })
  plans = []
  prices = []
  for (const [price, months, connections] of [
    [1_499, 1, 1],
    [4_099, 1, 5],
    [7_799, 3, 2],
    [11_999, 12, 1],
  ] as const) {
    const { id } = await createPlan(app.db, { price, months, connections, tier: { 1: 1, 3: 2, 12: 4 }[months] })
    plans.push({ id, months })
    prices.push([id, price])
  }
})
afterAll(() => app.close())

/** Returns a generator of pseudo-random integers, the same for the same seed. */
function randomIntegers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1_013_904_223) >>> 0
    return Math.floor(((state ^ (state >>> 13)) >>> 0) % below)
  }
}

/** Runs an action in a savepoint. A refused action changes nothing. */
async function attempt({ run }: SearchAction, search: Search): Promise<void> {
  try {
    await search.tx.transaction((tx) => run(Object.assign(search, { tx })))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

async function bestOf(candidates: SearchAction[], search: Search): Promise<SearchAction> {
  let best = { profit: Number.NEGATIVE_INFINITY, action: candidates[0]! }
  for (const action of candidates) {
    const { profit } = await previewTransaction(search.tx as never, async (tx) => {
      const copy = { ...search, tx, prices: new Map(search.prices) }
      await attempt(action, copy)
      copy.tx = tx
      return wealthOf(copy, await nowOf(copy))
    })
    if (profit > best.profit) best = { profit, action }
  }
  return best.action
}

async function createAccount(tx: Tx, values?: NewUser): Promise<SessionUser> {
  const user = await createUser(tx as never, values)
  return { ...user, emailVerified: true, accountRole: user.role, permissions: [] }
}

async function runSearch(tx: Tx, seed: number): Promise<void> {
  const draw = randomIntegers(seed)
  const admin = await createAccount(tx, { role: 'admin', emailVerifiedAt: '2027-01-01T00:00:00.000Z' })
  const referrer = await createAccount(tx)
  const customer = await createAccount(tx, { referredBy: referrer.id })
  await tx.execute(sql`UPDATE clock.set_to SET instant = '2027-01-29T10:00:00Z'`)
  const priceRanges = new Map(prices.map(([id, price]) => [id, { lowest: price, highest: price }]))
  const search: Search = {
    tx,
    customer,
    referrer,
    admin,
    plans,
    prices: priceRanges,
    grants: seed % 3 === 0,
    granted: 0,
    kinds: everyKind,
    draw,
  }
  const log: string[] = []
  // Starts with a subscription. Then all kinds of action are possible, or a random half of them; passing time is always possible.
  await attempt((await possibleActions(search))[0]![draw(plans.length)]!, search)
  search.tx = tx
  if (fixedKinds > 0) search.kinds = fixedKinds
  else if (seed % 2 === 0) search.kinds = draw(everyKind) | waiting
  for (let step = 0; step < steps; step++) {
    const groups = await possibleActions(search)
    const candidates = Array.from({ length: actionsPerStep }, () => {
      const group = groups[draw(groups.length)]!
      return group[draw(group.length)]!
    })
    const action = draw(3) === 0 ? candidates[0]! : await bestOf(candidates, search)
    await attempt(action, search)
    search.tx = tx
    const { profit, entitled, credit, earned } = await wealthOf(search, await nowOf(search))
    log.push(
      `${action.name}: profit ${Math.round(profit)}, entitled ${Math.round(entitled)}, credit ${credit}, paid and earned ${earned}`,
    )
    expect(profit, `seed ${seed}\n${log.join('\n')}`).toBeLessThanOrEqual(entitled)
    expect(credit, `seed ${seed}\n${log.join('\n')}`).toBeLessThanOrEqual(earned)
  }
  await tx.execute(sql`SET CONSTRAINTS ALL IMMEDIATE`)
  const { results } = await checkInvariants(tx as never)
  expect(
    results.filter(({ broken }) => broken.length > 0),
    `seed ${seed}\n${log.join('\n')}`,
  ).toEqual([])
}

test(
  'no sequence of actions gives a customer more than they paid for plus legitimate discounts, bonuses and grants',
  async () => {
    for (let seed = firstSeed; seed < firstSeed + searches; seed++)
      await previewTransaction(app.db, (tx) => runSearch(tx, seed))
  },
  120_000 + searches * 12_000,
)
