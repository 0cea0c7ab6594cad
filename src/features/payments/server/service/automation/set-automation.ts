import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { missingPasswordMessage } from '#features/accounts/rules.ts'
import type { AccountContext, RequestContext } from '#features/accounts/server/service/confirm-password.ts'
import { withProof } from '#features/two-factor/server/service/with-proof.ts'
import { audit, changedFields } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentAutomation } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import { notifyOwners } from '#server/session/administrators.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { Automation, automationChange } from '../../../admin-automation-contract.ts'
import { modeNames, reasonAgainstOn } from '../../../automation-rules.ts'
import { type AutomationRow, lockSwitch, readAgreement, readAutomation } from './read-automation.ts'

type Input = z.output<typeof automationChange>
/**
 * Changes the mode and the limits of automatic confirmation. A new mode is emailed to all owners. A change after which automatic confirmation is on
 * requires the administrator's password, and a code if two-step verification is on. Throws 400 if the password is missing, 409 `stale`, 409 `not_agreed` if
 * administrators' decisions have not agreed with the rule often enough, and the errors of `withProof`.
 */
export async function setAutomation(
  ctx: AccountContext & Pick<AppContext, 'config'>,
  admin: SessionUser,
  { currentPassword, code, ...input }: Input,
  request: RequestContext,
): Promise<Automation> {
  const actor = { admin, requestId: request.requestId }
  if (input.mode !== 'on') return inTransaction(ctx.db, (tx) => apply(tx, input, actor))
  if (!currentPassword) return invalid('currentPassword', missingPasswordMessage)
  return withProof(ctx, admin, { currentPassword, code }, request, () => (tx) => apply(tx, input, actor))
}

type Change = Omit<Input, 'currentPassword' | 'code'>
async function apply(tx: Tx, { mode, version, ...limits }: Change, { admin, requestId }: Actor): Promise<Automation> {
  const from = await lockSwitch(tx)
  if (from.version !== version)
    return conflict('stale', 'Automatic confirmation was changed in the meantime. Please check it and try again.')
  const isSwitched = mode !== from.mode
  if (isSwitched && mode === 'on') {
    const reason =
      from.mode === 'shadow' ? reasonAgainstOn(await readAgreement(tx, from.since)) : 'Turn on shadow mode first.'
    if (reason) return conflict('not_agreed', reason)
  }
  const { before, after } = changedFields(limitsOf(from), limits)
  const isLimited = Object.keys(after).length > 0
  if (isSwitched || isLimited)
    await updateAutomation(tx, {
      ...limits,
      ...(isSwitched && { mode, since: sql`now()`, reason: null, changedBy: admin.id }),
    })
  if (isLimited)
    await audit(tx, {
      ...{ actorId: admin.id, action: 'automation.limits', targetType: 'automation', targetId: 1, before, after },
      requestId,
    })
  if (isSwitched)
    await announceChange(tx, {
      ...{ action: 'automation.mode', from, before: { mode: from.mode }, after: { mode }, about: modeNames[mode] },
      ...{ by: admin, requestId },
    })
  return readAutomation(tx)
}

const limitsOf = ({ rails, maxCents, perDay, perDayCents, perPayerDay, perCustomerDay }: AutomationRow) => ({
  ...{ rails, maxCents, perDay, perDayCents, perPayerDay, perCustomerDay },
})

type Values = Parameters<ReturnType<Tx['update']>['set']>[0]
/** Updates the mode or limits and increases the version. The caller has locked the row. */
export const updateAutomation = (tx: Tx, values: Values): Promise<unknown> =>
  tx.update(paymentAutomation).set({ ...values, version: sql`${paymentAutomation.version} + 1` })

type AutomationChange = {
  action: 'automation.mode' | 'automation.limits'
  from: AutomationRow
  before: Record<string, unknown>
  after: Record<string, unknown>
  about: string
  by: SessionUser | null
  requestId?: string
}
/** Writes an audit entry about a change of automatic confirmation, emails all owners, and publishes the change to open pages. */
export async function announceChange(
  tx: Tx,
  { action, from, before, after, about, by, requestId }: AutomationChange,
): Promise<void> {
  await audit(tx, {
    ...{ actorId: by?.id ?? null, action, targetType: 'automation', targetId: 1, before, after },
    requestId: requestId ?? null,
  })
  await notifyOwners(tx, {
    event: 'automation_changed',
    about: `Automatic confirmation: ${about}`,
    actor: by,
    key: String(from.version + 1),
  })
  await changed(tx, 'payment')
}
