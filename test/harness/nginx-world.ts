import { openPlay } from '#features/watch/contract.ts'
import type { SignedIn } from './app.ts'
import { playlist } from './fake-streams.ts'
import { startNginx } from './nginx.ts'
import { dataFolder } from './running-app.ts'
import { serveApp } from './served-app.ts'
import { type WatchWorld, watchWorld } from './watch-world.ts'

export type NginxWorld = {
  world: WatchWorld
  /** The address of nginx. */
  url: string
  /** The folder of its logs. */
  folder: string
  /** How many connections nginx has opened to the app. */
  connections: () => number
  /** Opens a channel with segments at these addresses, and returns their paths on this site. */
  segments: (...addresses: string[]) => Promise<string[]>
  /** Continues as another viewer, whose play has no requests so far. */
  changeViewer: () => Promise<void>
  close: () => Promise<void>
}

/** A watch world behind Debian's nginx with deploy/nginx.conf, which fetches the segments. `ca`: certificate authorities (PEM) instead of those of the system. */
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
