import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import type { WatchChannel } from '../../contract.ts'
import { favoritesFirst } from '../../rules.ts'

const maxRecent = 10

/** Returns the channel of the page: the channel in the URL, otherwise the last one on this device, otherwise the first one that can be played. */
export function useChosenChannel(
  channels: readonly WatchChannel[],
  favorites: ReadonlySet<number>,
  channelId: string | undefined,
) {
  const [recentText, storeRecent] = useLocalStorage('watch-recent')
  const playable = favoritesFirst(
    channels.filter(({ blocked }) => blocked === null),
    favorites,
  )
  const recent = recentText
    .split(',')
    .map(Number)
    .filter((id) => playable.some((channel) => channel.id === id))
  const current =
    channels.find(({ id }) => String(id) === channelId) ??
    playable.find(({ id }) => id === recent[0]) ??
    playable[0] ??
    channels[0]
  return {
    playable,
    recent,
    current,
    /** The channel that was watched before the current one. */
    last: recent.find((id) => id !== current?.id),
    /** Adds a channel to the recent ones. Also adds the current channel, which may be playing without having been chosen here. */
    remember: (id: number) =>
      storeRecent([...new Set([id, ...(current ? [current.id] : []), ...recent])].slice(0, maxRecent).join(',')),
  }
}
