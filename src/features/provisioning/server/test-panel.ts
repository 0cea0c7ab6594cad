import { assertCertificates } from '#features/settings/server/certificates.ts'
import { readSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { AppContext } from '#server/http/route.ts'
import type { testPanel as endpoint } from '../admin-contract.ts'
import { openPanel } from './panels/open-panel.ts'
import { isSamePanel } from './settings.ts'

type Connection = Input<typeof endpoint>['body']
const none = { packages: [], packagesMessage: '' }

/** Tests a panel connection within six seconds. Saves nothing. The stored key is used only for the panel it was entered for. Audited. */
export async function testPanel(
  { db, config, log }: Pick<AppContext, 'db' | 'config' | 'log'>,
  input: Connection,
  { id, requestId }: { id: number; requestId: string },
): Promise<Output<typeof endpoint>> {
  assertCertificates(input.ca, 'ca')
  if (input.kind === 'manual')
    return { ok: false, message: 'Provisioning is manual: there is no panel to test.', ...none }
  const stored = await settings.read(db, 'provisioning')
  const key = input.key || (isSamePanel(stored, input) ? await readSecret(db, config, 'provisioning-key') : null) || ''
  const panel = openPanel({ ...input, key, allowPrivate: config.panelAllowPrivate })
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
