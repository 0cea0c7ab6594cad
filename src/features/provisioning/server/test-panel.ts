import { assertCertificates } from '#features/settings/server/certificates.ts'
import { readSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { AppContext } from '#server/http/route.ts'
import { open, secretKey } from '#server/secrets/keys.ts'
import type { testPanel as endpoint } from '../admin-contract.ts'
import { mainPanelId } from '../panel-rules.ts'
import { panelRow, sealedKeyContext } from './panel-rows/read-panels.ts'
import { openPanel } from './panels/open-panel.ts'
import { isSamePanel } from './settings.ts'

type Connection = Input<typeof endpoint>['body']
const none = { packages: [], packagesMessage: '' }

/** Tests a panel connection within six seconds. Saves nothing. The stored key is used only for the panel that it was entered for. Audited. */
export async function testPanel(
  { db, config, log }: Pick<AppContext, 'db' | 'config' | 'log'>,
  input: Connection,
  { id, requestId }: { id: number; requestId: string },
): Promise<Output<typeof endpoint>> {
  assertCertificates(input.ca, 'ca')
  const { kind, address, username, ca } = input
  if (kind === 'manual') return { ok: false, message: 'Provisioning is manual: there is no panel to test.', ...none }
  const key = input.key || (await storedKeyFor({ db, config }, input)) || ''
  const panel = openPanel({ kind, address, username, ca, key, allowPrivate: config.panelAllowPrivate })
  if (!panel) return { ok: false, message: 'Please enter the panel’s key: none is stored for this address.', ...none }
  const [connection, listed] = await Promise.all([panel.testConnection(), panel.listPackages()])
  const outcome = connection.ok ? 'ok' : connection.refusal
  const { host } = new URL(input.address)
  log.info({ requestId, userId: id, panel: host, kind: input.kind, outcome }, 'panel tested')
  await audit(db, {
    actorId: id,
    action: 'panel.test',
    targetType: 'panel',
    targetId: host,
    after: { kind: input.kind, outcome },
    requestId,
  })
  if (!connection.ok) return { ok: false, message: connection.message, ...none }
  const credits = connection.credits === null ? '' : ` Credits: ${connection.credits}.`
  const message = `Connected${connection.panel === null ? '' : ` as ${connection.panel}`}.${credits}`
  return {
    ok: true,
    message,
    packages: listed.ok ? listed.packages : [],
    packagesMessage: listed.ok ? '' : listed.message,
  }
}

/** The stored key of the panel; null unless it was entered for this address and panel type. */
async function storedKeyFor(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  input: Connection,
): Promise<string | null> {
  const id = input.panelId ?? mainPanelId
  if (id === mainPanelId) {
    const stored = await settings.read(db, 'provisioning')
    return isSamePanel(stored, input) ? readSecret(db, config, 'provisioning-key') : null
  }
  const row = await panelRow(db, id)
  return row?.key && row.kind === input.kind && row.address === input.address
    ? open(secretKey(config), row.key, sealedKeyContext(id))
    : null
}
