import { readSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { AppContext } from '#server/http/route.ts'
import type { testPanel as endpoint } from '../admin-contract.ts'
import { openPanel } from './panels/open-panel.ts'
import { assertCertificates, isSamePanel } from './settings.ts'

type Asked = Input<typeof endpoint>['body']
const none = { packages: [], packagesMessage: '' }

/** What a panel says to us with these settings, within six seconds; nothing is saved. The kept key is used for the panel it was given for alone. */
export async function testPanel(
  { db, config, log }: Pick<AppContext, 'db' | 'config' | 'log'>,
  asked: Asked,
  { id, requestId }: { id: number; requestId: string },
): Promise<Output<typeof endpoint>> {
  assertCertificates(asked.ca, 'ca')
  if (asked.kind === 'manual')
    return { ok: false, message: 'Lines are made by hand: there is no panel to ask.', ...none }
  const kept = await settings.read(db, 'provisioning')
  const key = asked.key || (isSamePanel(kept, asked) ? await readSecret(db, config, 'provisioning-key') : null) || ''
  const panel = openPanel({ ...asked, key, allowPrivate: config.panelAllowPrivate })
  if (!panel) return { ok: false, message: 'Please enter the panel’s key: none is kept for this address.', ...none }
  const [connection, listed] = await Promise.all([panel.testConnection(), panel.listPackages()])
  const outcome = connection.ok ? 'ok' : connection.refusal
  const { host } = new URL(asked.address)
  log.info({ requestId, userId: id, panel: host, kind: asked.kind, outcome }, 'panel tested')
  await audit(db, {
    actorId: id,
    action: 'panel.test',
    targetType: 'panel',
    targetId: host,
    after: { kind: asked.kind, outcome },
    requestId,
  })
  if (!connection.ok) return { ok: false, message: connection.message, ...none }
  const credits = connection.credits === null ? '' : ` It has ${connection.credits} credits.`
  const message = `The panel answers${connection.panel === null ? '' : ` and knows us as ${connection.panel}`}.${credits}`
  return {
    ok: true,
    message,
    packages: listed.ok ? listed.packages : [],
    packagesMessage: listed.ok ? '' : listed.message,
  }
}
