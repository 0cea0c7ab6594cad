import { asc, eq, sql } from 'drizzle-orm'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import type { Plan } from '#features/catalog/contract.ts'
import type { PanelType } from '#features/provisioning/contract.ts'
import { defaultProvisioning } from '#features/provisioning/rules.ts'
import type { ProvisioningConfig, WorkerContext } from '#features/provisioning/server/config.ts'
import { runJobs } from '#features/provisioning/server/worker/run.ts'
import * as settings from '#features/settings/server/service.ts'
import { lineDrift, lineJobs, linePanel, lines, settings as settingRows, users } from '#server/db/tables.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { buildApp, type SignedIn, type TestApp } from './app.ts'
import { createInvoice, createPlan, createUser } from './factories.ts'
import { type MemoryPanel, memoryPanel } from './memory-panel.ts'

export const plusDays = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * 86_400_000).toISOString()

/** An installation with a panel in memory, an administrator, paying customers, and a worker that the test runs. */
export type ProvisioningWorld = Awaited<ReturnType<typeof provisioningWorld>>

export async function provisioningWorld() {
  const app: TestApp = await buildApp()
  const admin: SignedIn = await app.signInAdmin()
  const plan: Plan = await createPlan(app.db, { connections: 1 })
  const double: Plan = await createPlan(app.db, { connections: 2 })
  const key = () => secretKey(app.context.config)
  let panel: MemoryPanel = memoryPanel()

  const config = (over: Partial<ProvisioningConfig> = {}): ProvisioningConfig => ({
    panel,
    id: 1,
    panelId: 'memory',
    server: 'http://tv.example:8080',
    graceDays: 3,
    packages: { [plan.id]: '1', [double.id]: '2' },
    trialPackage: '9',
    ...over,
  })
  const context = (panelConfig: ProvisioningConfig | null = config()): WorkerContext => ({
    db: app.db,
    log: app.context.log,
    key,
    loadConfig: async () => panelConfig,
  })
  const jobsOf = (userId: number) =>
    app.db.select().from(lineJobs).where(eq(lineJobs.userId, userId)).orderBy(asc(lineJobs.id))
  const decide = (invoiceId: number, status: 'paid' | 'cancelled' | 'pending') =>
    admin.client.call(updateInvoice, {
      params: { invoiceId },
      body: { status, ...(status === 'paid' && { paidAt: new Date().toISOString() }) },
    })

  return {
    app,
    admin,
    plan,
    double,
    key,
    config,
    context,
    jobsOf,
    decide,
    get panel() {
      return panel
    },
    /** Sets another panel and deletes all lines and jobs. */
    reset: async (next: MemoryPanel = memoryPanel()) => {
      panel = next
      for (const table of [lineJobs, lineDrift, lines]) await app.db.delete(table)
      await app.db.update(linePanel).set({
        holder: null,
        heldUntil: sql`now()`,
        restUntil: sql`now()`,
        downSince: null,
        failures: 0,
        checkAskedAt: null,
        checkedAt: null,
        checkNote: null,
      })
    },
    /** Sets the panel type in the settings. The worker of these tests always uses the panel in memory. */
    choosePanel: async (kind: PanelType) => {
      const value = { ...defaultProvisioning, kind }
      await app.db
        .insert(settingRows)
        .values({ key: 'provisioning', value })
        .onConflictDoUpdate({ target: settingRows.key, set: { value } })
      settings.clearCache()
    },
    /** Runs the worker once; null means manual provisioning. */
    run: (panelConfig?: ProvisioningConfig | null) => runJobs(context(panelConfig), undefined, 0),
    /** Makes all waiting jobs due and ends the back-off. */
    makeJobsDue: async () => {
      await app.db.update(lineJobs).set({ dueAt: sql`now()` })
      await app.db.update(linePanel).set({ restUntil: sql`now()` })
    },
    buyer: () => createUser(app.db),
    pay: async (userId: number, bought: Plan = plan): Promise<number> => {
      const submitted = {
        status: 'pending' as const,
        submittedAt: new Date().toISOString(),
        paymentMethod: 'venmo' as const,
      }
      const { id } = await createInvoice(app.db, { userId, planId: bought.id, ...submitted })
      await decide(id, 'paid')
      return id
    },
    userOf: async (id: number) => (await app.db.select().from(users).where(eq(users.id, id)))[0]!,
    lineOf: async (userId: number) => (await app.db.select().from(lines).where(eq(lines.userId, userId)))[0],
    /** Returns the states of a customer's jobs, with their tasks. */
    statesOf: async (userId: number) =>
      (await jobsOf(userId)).map(({ state, task }) => (task ? `${state} ${task}` : state)),
    /** Returns the calls to the panel that change data. */
    writes: () => panel.calls.filter((call) => call !== 'get' && call !== 'list'),
    press: (jobId: number, what: 'retry' | 'settle') =>
      admin.client.post(`/api/admin/lines/${jobId}/${what}`, undefined),
  }
}
