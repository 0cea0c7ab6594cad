import { and, eq, sql } from 'drizzle-orm'
import { assertCertificates } from '#features/settings/server/certificates.ts'
import { secretSetAt, writeSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import { versionOf } from '#features/settings/server/version.ts'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { panels } from '#server/db/tables.ts'
import { conflict, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { getProvisioning } from '../admin-contract.ts'
import type { Provisioning, ProvisioningForm } from '../contract.ts'

type StoredSettings = Output<typeof getProvisioning>
type Editor = { id: number; requestId: string }

function refuseField(path: string, message: string): never {
  throw new Refusal(400, 'invalid', message, { issues: [{ path, message }] })
}

/** Whether two settings name the same panel. A key that was entered for one panel is never sent to another. */
export const isSamePanel = (
  a: Pick<Provisioning, 'kind' | 'address'>,
  b: Pick<Provisioning, 'kind' | 'address'>,
): boolean => a.kind === b.kind && a.address === b.address

/** The stored provisioning settings, and whether a key is set. */
export async function readProvisioning(db: Db | Tx): Promise<StoredSettings> {
  const value = await settings.read(db, 'provisioning')
  const keySetAt = await secretSetAt(db, 'provisioning-key')
  const version = versionOf([value, keySetAt])
  return { version, keySet: keySetAt !== null, value: { ...value, key: '' } }
}

/**
 * Replaces the provisioning settings and stores the key encrypted. Throws 400, which names the field, if the key is missing or was entered for another panel,
 * or if another panel has the address; throws 409 if the settings have changed since `version`.
 */
export async function updateProvisioning(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  { version, value: { key, ...input } }: { version: string; value: ProvisioningForm },
  editor: Editor,
): Promise<StoredSettings> {
  assertCertificates(input.ca, 'value.ca')
  const packages = Object.fromEntries(Object.entries(input.packages).filter(([, ref]) => ref !== ''))
  const saved = await inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('setting'), hashtext('provisioning'))`)
    const before = await readProvisioning(tx)
    if (before.version !== version)
      return conflict(
        'stale',
        'Another administrator has changed these settings. Nothing was saved; please check them before you change them.',
      )
    const isManual = input.kind === 'manual'
    if (!isManual && key === '') {
      // Otherwise anyone who may change the address could redirect the stored key to another server.
      if (before.keySet && !isSamePanel(before.value, input))
        refuseField('value.key', 'Please enter the key again: the stored one is for another address or panel type')
      if (!before.keySet && input.kind !== 'xc-api') refuseField('value.key', 'Please enter the panel’s key')
    }
    const other = and(eq(panels.kind, input.kind as 'xc-api'), eq(panels.address, input.address))
    if (!isManual && (await tx.$count(panels, other)) > 0)
      refuseField('value.address', 'Another panel has this address')
    await settings.writeSetting(tx, 'provisioning', { ...input, packages }, editor.id, editor.requestId)
    const change = isManual
      ? before.keySet
        ? 'removed'
        : undefined
      : key === ''
        ? undefined
        : before.keySet
          ? 'replaced'
          : 'set'
    if (change) {
      await writeSecret(tx, config, 'provisioning-key', isManual ? null : key)
      const entry = { actorId: editor.id, targetType: 'setting', targetId: 'provisioning', requestId: editor.requestId }
      await audit(tx, {
        ...entry,
        action: 'settings.key',
        before: { keySet: before.keySet },
        after: { keySet: !isManual, change },
      })
    }
    await changed(tx, 'panel')
    return readProvisioning(tx)
  })
  settings.clearCache()
  return saved
}
