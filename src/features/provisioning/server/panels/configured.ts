import { readSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import type { AppContext } from '#server/http/route.ts'
import { openPanel } from './open-panel.ts'
import type { ProvisioningPanel } from './port.ts'

/** The main panel, which the Provisioning settings describe; null for manual provisioning. Throws if its stored key cannot be decrypted. */
export async function configuredPanel({
  db,
  config,
}: Pick<AppContext, 'db' | 'config'>): Promise<ProvisioningPanel | null> {
  const { kind, address, username, ca } = await settings.read(db, 'provisioning')
  if (kind === 'manual') return null
  const key = (await readSecret(db, config, 'provisioning-key')) ?? ''
  return openPanel({ kind, address, username, ca, key, allowPrivate: config.panelAllowPrivate })
}
