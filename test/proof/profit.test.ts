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
import { rounds } from '../harness/scale.ts'

// A customer who tries to profit: of some acts at each step they take the one after which they own most, and sometimes any other one, since some
// gains need an act before them that gains nothing. Each search runs in one transaction, each act is tried in a savepoint, and all is rolled back.
const searches = rounds('PROFIT_SEARCHES', { short: 5, full: 50 })
const steps = Number(process.env.PROFIT_STEPS ?? 40)
const firstSeed = Number(process.env.PROFIT_SEED ?? 1)
/** The kinds of act that all searches are limited to, one bit for each in the order of `triesOf`; 0 leaves the choice to each search. */
const givenKinds = Number(process.env.PROFIT_KINDS ?? 0)
const triedAStep = 4
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

/** Numbers that look drawn by chance, the same for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1_013_904_223) >>> 0
    return Math.floor(((state ^ (state >>> 13)) >>> 0) % below)
  }
}

/** Does an act in a savepoint. Whatever is refused changes nothing. */
async function attempt({ run }: SearchAction, search: Search): Promise<void> {
  try {
    await search.tx.transaction((tx) => run(Object.assign(search, { tx })))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

async function bestOf(some: SearchAction[], search: Search): Promise<SearchAction> {
  let best = { profit: Number.NEGATIVE_INFINITY, act: some[0]! }
  for (const act of some) {
    const { profit } = await previewTransaction(search.tx as never, async (tx) => {
      const copy = { ...search, tx, prices: new Map(search.prices) }
      await attempt(act, copy)
      copy.tx = tx
      return wealthOf(copy, await nowOf(copy))
    })
    if (profit > best.profit) best = { profit, act }
  }
  return best.act
}

async function person(tx: Tx, values?: NewUser): Promise<SessionUser> {
  const user = await createUser(tx as never, values)
  return { ...user, accountRole: user.role }
}

async function live(tx: Tx, seed: number): Promise<void> {
  const draw = drawing(seed)
  const admin = await person(tx, { role: 'admin', emailVerifiedAt: '2027-01-01T00:00:00.000Z' })
  const referrer = await person(tx)
  const customer = await person(tx, { referredBy: referrer.id })
  await tx.execute(sql`UPDATE clock.set_to SET instant = '2027-01-29T10:00:00Z'`)
  const known = new Map(prices.map(([id, price]) => [id, { lowest: price, highest: price }]))
  const search: Search = {
    tx,
    customer,
    referrer,
    admin,
    plans,
    prices: known,
    grants: seed % 3 === 0,
    granted: 0,
    kinds: everyKind,
    draw,
  }
  const done: string[] = []
  // A subscription to begin with, and then all kinds of act, or half of them by chance. Time always passes.
  await attempt((await possibleActions(search))[0]![draw(plans.length)]!, search)
  search.tx = tx
  if (givenKinds > 0) search.kinds = givenKinds
  else if (seed % 2 === 0) search.kinds = draw(everyKind) | waiting
  for (let step = 0; step < steps; step++) {
    const groups = await possibleActions(search)
    const some = Array.from({ length: triedAStep }, () => {
      const group = groups[draw(groups.length)]!
      return group[draw(group.length)]!
    })
    const act = draw(3) === 0 ? some[0]! : await bestOf(some, search)
    await attempt(act, search)
    search.tx = tx
    const { profit, entitled, credit, earned } = await wealthOf(search, await nowOf(search))
    done.push(
      `${act.name}: profit ${Math.round(profit)}, entitled ${Math.round(entitled)}, credit ${credit}, paid and earned ${earned}`,
    )
    expect(profit, `seed ${seed}\n${done.join('\n')}`).toBeLessThanOrEqual(entitled)
    expect(credit, `seed ${seed}\n${done.join('\n')}`).toBeLessThanOrEqual(earned)
  }
  await tx.execute(sql`SET CONSTRAINTS ALL IMMEDIATE`)
  const { results } = await checkInvariants(tx as never)
  expect(
    results.filter(({ broken }) => broken.length > 0),
    `seed ${seed}\n${done.join('\n')}`,
  ).toEqual([])
}

test(
  'whatever a customer tries, they own no more than they paid for and were legitimately given',
  async () => {
    for (let seed = firstSeed; seed < firstSeed + searches; seed++)
      await previewTransaction(app.db, (tx) => live(tx, seed))
  },
  120_000 + searches * 12_000,
)
