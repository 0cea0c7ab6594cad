// Two panel doubles: one has the lines of many customers, the other is empty. This file uses no test runner, so that a bench can use it too.
import { eq, sql } from 'drizzle-orm'
import { insertImportedAccounts } from '#features/accounts/server/service/imported-accounts.ts'
import type { Plan } from '#features/catalog/contract.ts'
import { defaultProvisioning } from '#features/provisioning/rules.ts'
import { storeImportedLines } from '#features/provisioning/server/imported-lines.ts'
import { writeSecret } from '#features/settings/server/secrets.ts'
import { grantImportedTime } from '#features/subscriptions/server/service/imported-time.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { linePanel, lines, panels, settings } from '#server/db/tables.ts'
import { seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { noPassword } from '#server/session/imported-hash.ts'
import { createPlan } from './factories.ts'
import { panelKey } from './fake-lines.ts'
import { type FakePanel, startFakePanel } from './fake-panel.ts'

const kind = 'xui-admin'
/** The panel's package for the only plan. */
const packageRef = '7'
const connections = 2
const dayMs = 86_400_000
const batchSize = 1_000

export type LinesToMove = {
  /** The main panel, which has the lines, and the one to which they are moved. */
  from: FakePanel
  to: FakePanel
  /** The id of the second panel in the database. */
  toId: number
  close: () => Promise<void>
}

/** Stores both panels, and `count` customers with paid time and a line on the main panel. `adminId` grants the time. */
export async function linesToMove(db: Db, config: Config, count: number, adminId: number): Promise<LinesToMove> {
  const [from, to] = [await startFakePanel(), await startFakePanel()]
  const plan = await createPlan(db, { months: 1, connections, hidden: true })
  const toId = await storePanels(db, config, plan.id, from, to)
  for (let at = 0; at < count; at += batchSize)
    await storeCustomers(db, config, from, { plan, first: at, count: Math.min(batchSize, count - at), adminId })
  return { from, to, toId, close: async () => void (await Promise.all([from.close(), to.close()])) }
}

async function storePanels(db: Db, config: Config, planId: number, from: FakePanel, to: FakePanel): Promise<number> {
  return inTransaction(db, async (tx) => {
    const packages = { [planId]: packageRef }
    const value = { ...defaultProvisioning, kind, address: from.lines.addressOf(kind), packages } as const
    await tx.insert(settings).values({ key: 'provisioning', value })
    await writeSecret(tx, config, 'provisioning-key', panelKey)
    const [panel] = await tx
      .insert(panels)
      .values({ name: 'Second', kind, address: to.lines.addressOf(kind), server: 'http://second.example', packages })
      .returning({ id: panels.id })
    const key = seal(secretKey(config), panelKey, sealedColumns.panelKey.context(panel!.id))
    await tx.update(panels).set({ key }).where(eq(panels.id, panel!.id))
    await tx.insert(linePanel).values({ id: panel!.id })
    return panel!.id
  })
}

type Batch = { plan: Plan; first: number; count: number; adminId: number }

async function storeCustomers(db: Db, config: Config, panel: FakePanel, { plan, first, count, adminId }: Batch) {
  const names = Array.from({ length: count }, (_, n) => `moving${first + n}`)
  const now = new Date().toISOString()
  const paidUntil = `${new Date(Date.now() + 60 * dayMs).toISOString().slice(0, 19)}.000Z`
  await inTransaction(db, async (tx) => {
    const ids = await insertImportedAccounts(
      tx,
      names.map((username) => ({
        username,
        email: `${username}@example.org`,
        fullName: null,
        passwordHash: noPassword,
      })),
    )
    const times = ids.map((userId) => ({ userId, plan, paidUntil }))
    await grantImportedTime(tx, times, now, adminId)
    const entitlement = {
      status: 'active',
      endDate: paidUntil,
      planId: plan.id,
      connections,
      months: plan.months,
    } as const
    const stored = ids.map((userId, n) => ({
      userId,
      username: `line-${names[n]}`,
      password: `pw${userId}`,
      entitlement,
    }))
    await storeImportedLines(tx, { key: secretKey(config), config }, stored, now)
    // As if the product had created the lines on the main panel.
    const panelId = `${kind} ${panel.lines.addressOf(kind)}`
    await tx.update(lines).set({ panel: panelId, lineRef: sql`user_id::text` }).where(sql`panel = 'manual'`)
    for (const { userId, username, password } of stored)
      panel.lines.rows.set(String(userId), {
        ...{ id: String(userId), username, password, enabled: '1', is_trial: '0', package_id: null },
        ...{ max_connections: String(connections), bouquet: '[1,2]', allowed_outputs: '[1,2]' },
        exp_date: String(Math.floor(Date.parse(paidUntil) / 1_000 + (defaultProvisioning.graceDays * dayMs) / 1_000)),
      })
  })
}
