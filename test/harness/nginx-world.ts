import { openPlay } from '#features/watch/contract.ts'
import type { SignedIn } from './app.ts'
import { playlist } from './fake-streams.ts'
import { startNginx } from './nginx.ts'
import { dataFolder } from './running-app.ts'
import { serveApp } from './served-app.ts'
import { type WatchWorld, watchWorld } from './watch-world.ts'

export type NginxWorld = {
  world: WatchWorld
  /** The URL at which nginx listens. */
  url: string
  /** The folder with the logs of nginx. */
  folder: string
  /** How many connections nginx has opened to the app. */
  connections: () => number
  /** Opens a channel whose segments have these URLs, and returns the paths on this site through which they are relayed. */
  segments: (...addresses: string[]) => Promise<string[]>
  /** Signs in another viewer, whose play has no requests yet. `segments` uses this viewer from then on. */
  changeViewer: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Starts a watch world behind Debian's nginx with deploy/nginx.conf, which fetches the segments. `ca`: the certificate authorities (PEM) that nginx trusts
 * instead of those of the system.
 */
export async function nginxWorld({ ca }: { ca?: string } = {}): Promise<NginxWorld> {
  const data = dataFolder()
  const world = await watchWorld({ streamOffload: 'nginx' })
  const channelId = await world.addChannel('direct')
  let viewer: SignedIn = await world.signInViewer()
  const app = await serveApp(world.app)
  const { url, stop } = await startNginx(data.path, app.port, { ca })
  return {
    world,
    url,
    folder: data.path,
    connections: app.opened,
    segments: async (...addresses) => {
      world.panel.streams.modes.direct = playlist(
        '#EXTM3U',
        '#EXT-X-TARGETDURATION:2',
        ...addresses.flatMap((address) => ['#EXTINF:2,', address]),
      )
      const { address } = await viewer.client.call(openPlay, { body: { channelId } })
      const text = await (await fetch(url + address)).text()
      return text.match(/\/stream\/\S+/g) ?? []
    },
    changeViewer: async () => {
      viewer = await world.signInViewer()
    },
    close: async () => {
      app.close()
      stop()
      await world.close()
      data.remove()
    },
  }
}
