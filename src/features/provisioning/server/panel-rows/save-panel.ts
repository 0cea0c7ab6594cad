import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { assertCertificates } from '#features/settings/server/certificates.ts'
import * as settings from '#features/settings/server/service.ts'
import { type AuditEntry, audit, changedFields } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { lineJobs, lineMoveRuns, linePanel, lines, panelPlans, panels, plans } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import { seal, secretKey } from '#server/secrets/keys.ts'
import type { Actor } from '#server/session/actor.ts'
import { maxPanels, type PanelForm, type PanelRow } from '../../admin-panels-contract.ts'
import { mainPanelId } from '../../panel-rules.ts'
import { isSamePanel } from '../settings.ts'
import { panelById } from './list-panels.ts'
import { type PanelRow as Row, sealedKeyContext } from './read-panels.ts'

type Context = Pick<AppContext, 'db' | 'config'>

/**
 * Adds a panel. Throws 400, which names the field, for a name or address that another panel has, for a missing key or server, and for manual provisioning;
 * throws 409 `too_many_panels`.
 */
export async function createPanel({ db, config }: Context, form: PanelForm, actor: Actor): Promise<PanelRow> {
  assertCertificates(form.ca, 'ca')
  if (form.key === '' && form.kind !== 'xc-api' && form.kind !== 'manual')
    return invalid('key', 'Please enter the panel’s key')
  return uniquely(() =>
    inTransaction(db, async (tx) => {
      await lockPanels(tx)
      if ((await tx.$count(panels)) >= maxPanels)
        return conflict('too_many_panels', `There can be at most ${maxPanels} panels.`)
      const connection = await connectionOf(tx, form)
      if (form.isDefault) await leaveDefault(tx)
      const [row] = await tx
        .insert(panels)
        .values({ ...rulesOf(form), ...connection })
        .returning({ id: panels.id })
      const { id } = row!
      await storeKey(tx, config, id, form.key)
      await tx.insert(linePanel).values({ id })
      await setPlans(tx, id, form.planIds)
      await record(tx, 'panel.create', id, actor, { after: auditedOf(form, connection) })
      return panelById(tx, id)
    }),
  )
}

/**
 * Changes a panel; an empty key keeps the stored one, which is used only for the address that it was entered for. Throws 404, 400 as `createPanel` does, and
 * 409 `stale`, or `default_panel` if no panel would be the default.
 */
export async function updatePanel(
  { db, config }: Context,
  id: number,
  { version, ...form }: PanelForm & { version: number },
  actor: Actor,
): Promise<PanelRow> {
  assertCertificates(form.ca, 'ca')
  return uniquely(() =>
    inTransaction(db, async (tx) => {
      const before = await lockPanel(tx, id, version)
      if (before.isDefault && !form.isDefault)
        return conflict('default_panel', 'Make another panel the default one first.')
      const isMain = id === mainPanelId
      const connection = isMain ? {} : await connectionOf(tx, form)
      if (
        !isMain &&
        form.key === '' &&
        !isSamePanel({ kind: before.kind as 'xc-api', address: before.address }, form)
      ) {
        if (form.kind !== 'xc-api')
          return invalid('key', 'Please enter the key again: the stored one is for another address or panel type')
        await tx.update(panels).set({ key: null }).where(eq(panels.id, id))
      }
      if (form.isDefault && !before.isDefault) await leaveDefault(tx)
      const known = await panelById(tx, id)
      await tx
        .update(panels)
        .set({ ...rulesOf(form), ...connection, version: sql`${panels.version} + 1` })
        .where(eq(panels.id, id))
      if (!isMain) await storeKey(tx, config, id, form.key)
      await setPlans(tx, id, form.planIds)
      await record(tx, 'panel.update', id, actor, {
        ...changedFields(auditedOf(known, isMain ? {} : before), {
          ...auditedOf(form, connection),
          ...(!isMain && form.key !== '' && { key: 'replaced' }),
        }),
      })
      return panelById(tx, id)
    }),
  )
}

/** Deletes a panel. Throws 404, and 409 `stale`, `main_panel`, `default_panel`, or `panel_in_use` if lines, jobs (also finished ones) or moves refer to it. */
export const deletePanel = (
  { db }: Pick<Context, 'db'>,
  id: number,
  version: number,
  actor: Actor,
): Promise<{ deleted: true }> =>
  inTransaction(db, async (tx) => {
    const before = await lockPanel(tx, id, version)
    if (id === mainPanelId)
      return conflict('main_panel', 'The main panel cannot be deleted. Close it for new lines instead.')
    if (before.isDefault) return conflict('default_panel', 'Make another panel the default one first.')
    const [line] = await tx.select({ id: lines.id }).from(lines).where(eq(lines.panelId, id)).limit(1)
    const [job] = await tx.select({ id: lineJobs.id }).from(lineJobs).where(eq(lineJobs.panelId, id)).limit(1)
    const ofRun = or(eq(lineMoveRuns.fromPanel, id), eq(lineMoveRuns.toPanel, id))
    if (line || job || (await tx.$count(lineMoveRuns, ofRun)) > 0)
      return conflict(
        'panel_in_use',
        'This panel has lines or jobs, so it cannot be deleted. Close it for new lines instead.',
      )
    await tx.delete(panels).where(eq(panels.id, id))
    await record(tx, 'panel.delete', id, actor, { before: { name: before.name, address: before.address } })
    return { deleted: true as const }
  })

const lockPanels = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('panels'), 0)`)

async function lockPanel(tx: Tx, id: number, version: number): Promise<Row> {
  await lockPanels(tx)
  const [row] = await tx.select().from(panels).where(eq(panels.id, id)).for('update')
  if (!row) return notFound('Panel not found')
  if (row.version !== version)
    return conflict('stale', 'This panel was changed in the meantime. Please check it and try again.')
  return row
}

const leaveDefault = (tx: Tx) =>
  tx
    .update(panels)
    .set({ isDefault: false, version: sql`${panels.version} + 1` })
    .where(eq(panels.isDefault, true))

/** The columns of a connection. Throws 400 for manual provisioning, a missing server, and the address of the main panel. */
async function connectionOf(tx: Tx, { kind, address, username, ca, server, packages, trialPackage }: PanelForm) {
  if (kind === 'manual') return invalid('kind', 'Only the main panel can be manual. Please select a panel type')
  if (server === '') return invalid('server', 'Please enter the server that customers of this panel enter in their app')
  const main = await settings.read(tx, 'provisioning')
  if (isSamePanel(main, { kind, address })) return invalid('address', addressTaken, 'address_taken')
  const chosen = Object.fromEntries(Object.entries(packages).filter(([, ref]) => ref !== ''))
  return { kind, address, username, ca, server, packages: chosen, trialPackage }
}
const addressTaken = 'Another panel has this address'

const rulesOf = ({ name, acceptsLines, isDefault, lineLimit }: PanelForm) => ({
  name,
  acceptsLines,
  isDefault,
  lineLimit,
})

function auditedOf(
  form: Pick<PanelForm, 'name' | 'acceptsLines' | 'isDefault' | 'lineLimit' | 'planIds'>,
  row: object,
) {
  const { key: _key, version: _version, createdAt: _at, id: _id, ...connection } = row as Partial<Row>
  const { name, acceptsLines, isDefault, lineLimit, planIds } = form
  return { ...connection, name, acceptsLines, isDefault, lineLimit, planIds: [...planIds].sort((a, b) => a - b) }
}

async function storeKey(tx: Tx, config: Config, id: number, key: string): Promise<void> {
  if (key === '') return
  await tx
    .update(panels)
    .set({ key: seal(secretKey(config), key, sealedKeyContext(id)) })
    .where(eq(panels.id, id))
}

/** Assigns exactly these plans to a panel. A plan that was assigned to another panel is reassigned. */
async function setPlans(tx: Tx, panelId: number, planIds: number[]): Promise<void> {
  await tx
    .delete(panelPlans)
    .where(
      planIds.length === 0
        ? eq(panelPlans.panelId, panelId)
        : and(eq(panelPlans.panelId, panelId), ne(sql`${panelPlans.planId} = any(${sql.param(planIds)}::int[])`, true)),
    )
  if (planIds.length === 0) return
  const known = await tx.select({ planId: plans.id }).from(plans).where(inArray(plans.id, planIds))
  if (known.length === 0) return
  await tx
    .insert(panelPlans)
    .values(known.map(({ planId }) => ({ planId, panelId })))
    .onConflictDoUpdate({ target: panelPlans.planId, set: { panelId } })
}

async function record(
  tx: Tx,
  action: AuditEntry['action'],
  targetId: number,
  { admin, requestId }: Actor,
  fields: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> {
  await audit(tx, { actorId: admin.id, action, targetType: 'panel', targetId, ...fields, requestId })
  await changed(tx, ['panel', 'line_job'])
}

/** Throws 400, which names the field, if another panel has the name or the address. */
async function uniquely<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { constraint } = violationOf(error) ?? {}
    if (constraint === 'panels_name') return invalid('name', 'Another panel has this name', 'name_taken')
    if (constraint === 'panels_address') return invalid('address', addressTaken, 'address_taken')
    throw error
  }
}
