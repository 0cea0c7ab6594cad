import { eq } from 'drizzle-orm'
import { playerPanel } from '#features/iptv/server/xtream/player-address.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { channels, watching } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { testDirect } from '../../admin-direct-contract.ts'
import { reasons } from '../../rules.ts'
import type { LineToWatch } from '../plays/line-to-watch.ts'
import type { RelayContext } from '../relay/play.ts'
import { openLive } from '../relay/sources/open-live.ts'
import { streamRulesOf } from '../relay/stream-rules.ts'
import { hostile, StreamFailure } from '../relay/upstream-reason.ts'
import { findProblems } from './find-problems.ts'
import { siteOrigin } from './offer-direct.ts'

const forbidden =
  'It redirects to a private network, to this site, from https to http, or to a port that is not allowed.'

/**
 * Opens a channel as the relay does, with a line that the administrator entered, and returns why pages cannot load the channel directly. Throws 400 for a
 * channel without a stream, and 409 if no panel is connected.
 */
export async function testChannel(
  context: RelayContext,
  { channelId, iptvUsername, iptvPassword }: Required<Input<typeof testDirect>>['body'],
): Promise<Output<typeof testDirect>> {
  const { db, config } = context
  const panel = playerPanel(config, await settings.read(db, 'provisioning'))
  if (!panel)
    return conflict(
      'no_panel',
      'No IPTV service is connected yet: set PANEL_URL, or the server under Settings, Provisioning.',
    )
  const [channel] = await db
    .select({ stream: channels.panelStream })
    .from(channels)
    .where(eq(channels.id, Number(channelId)))
  if (!channel?.stream) return invalid('channelId', 'The panel has no stream for this channel')
  const [setting] = await db.select({ hosts: watching.directHosts }).from(watching)
  const line: LineToWatch = {
    base: new URL(panel.url),
    userAgent: panel.userAgent,
    username: iptvUsername,
    password: () => iptvPassword,
    screens: 1,
    isTrial: false,
  }
  const rules = streamRulesOf(config, line)
  const origin = siteOrigin(context)
  const signal = AbortSignal.timeout(limits.relay.direct.testMs)
  try {
    const source = await openLive(line, { stream: channel.stream, isTransport: false }, rules, { origin, signal })
    if (source.kind === 'transport') {
      source.close()
      return { host: source.url.host, problems: [{ code: 'no_playlist', host: null }], origin }
    }
    const call = { line, rules, hosts: setting!.hosts, origin, signal, isThorough: true }
    return { host: source.url.host, problems: await findProblems(source, call), origin }
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error
    const detail = hostile.has(error.detail) ? forbidden : reasonText(error)
    return { host: null, problems: [{ code: 'no_answer', host: null, detail }], origin }
  }
}

const reasonText = ({ reason, detail }: StreamFailure): string =>
  reason === 'refused' ? 'It rejected the username and password of the line.' : `${reasons[reason]} (${detail})`
