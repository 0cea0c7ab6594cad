import { randomBytes } from 'node:crypto'
import { createRights, publishChannels, rightsStatement, setWatching } from '#features/watch/admin-contract.ts'
import { type OpenedPlay, openPlay } from '#features/watch/contract.ts'
import type { Config } from '#server/config.ts'
import { channels, lines } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { seal } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { buildApp, type SignedIn, type TestApp } from './app.ts'
import { type FakePanel, linePassword, startFakePanel } from './fake-panel.ts'

export type WatchWorld = {
  app: TestApp
  panel: FakePanel
  admin: SignedIn
  /** Adds a channel for this panel stream. By default it is licensed and published. */
  addChannel: (
    stream: string,
    state?: { licensed?: boolean; published?: boolean; territories?: string },
  ) => Promise<number>
  /** Signs in a new customer whose line is ready and has this many connections. */
  signInViewer: (connections?: number) => Promise<SignedIn>
  play: (viewer: SignedIn, channelId: number, take?: string) => Promise<OpenedPlay>
  /** Requests a playlist. Returns its text and the URLs in it. */
  readPlaylist: (viewer: SignedIn, address: string) => Promise<{ text: string; addresses: string[] }>
  close: () => Promise<void>
}

/** The fields of a right that is in force. */
export const rightNow = {
  source: 'Satellite feed',
  licensor: 'Harbor Media',
  validFrom: '2020-01-01',
  validUntil: '2099-12-31',
  document: 'Contract 4711',
  archiveHours: 48,
}

/** An app with a fake panel on which watching is on. Quick changes of the channel are not held back, so that tests need not wait. */
export async function watchWorld(config: Partial<Config> = {}): Promise<WatchWorld> {
  const { holdMs } = limits.relay
  limits.relay.holdMs = 0
  const key = randomBytes(32)
  const panel = await startFakePanel()
  const app = await buildApp({
    config: {
      secretKey: key.toString('base64'),
      panelAllowPrivate: true,
      panel: { url: panel.url, allowPrivate: true, userAgent: 'VLC/3.0.18 LibVLC/3.0.18', neverExpires: [] },
      ...config,
    },
  })
  const admin = await app.signInAdmin()
  await admin.client.call(setWatching, { body: { enabled: true, statement: rightsStatement } })
  let serial = 0
  const addChannel: WatchWorld['addChannel'] = async (
    stream,
    { licensed = true, published = true, territories = 'WORLD' } = {},
  ) => {
    const [channel] = await app.db
      .insert(channels)
      .values({ name: `Channel ${++serial}`, category: 'news', logo: 'mark:C', panelStream: `${stream}.${serial}` })
      .returning({ id: channels.id })
    const channelIds = [channel!.id]
    if (licensed) await admin.client.call(createRights, { body: { channelIds, ...rightNow, territories } })
    if (published) await admin.client.call(publishChannels, { body: { channelIds, published: true } })
    return channel!.id
  }
  const signInViewer = async (connections = 1) => {
    const viewer = await app.signIn()
    const userId = viewer.user.id
    await app.db.insert(lines).values({
      userId,
      panel: 'test',
      lineRef: `line ${userId}`,
      username: `line.${userId}`,
      password: seal(key, linePassword, sealedColumns.linePassword.context(userId)),
      server: panel.url,
      wantedEnabled: true,
      panelEnabled: true,
      wantedUntil: '2099-01-01T00:00:00Z',
      wantedConnections: connections,
    })
    return viewer
  }
  return {
    app,
    panel,
    admin,
    addChannel,
    signInViewer,
    play: (viewer, channelId, take) => viewer.client.call(openPlay, { body: { channelId, ...(take && { take }) } }),
    readPlaylist: async (viewer, address) => {
      const text = await (await viewer.client.request(address)).text()
      return { text, addresses: text.match(/\/stream\/[^\s"]+/g) ?? [] }
    },
    close: async () => {
      limits.relay.holdMs = holdMs
      await app.close()
      await panel.close()
    },
  }
}
