// biome-ignore-all lint/performance/noBarrelFile: one file for these parts, because every lazy import costs bytes in the first script of the page
export { WatchlistToggle } from '#features/watchlist/web/watchlist-toggle.tsx'
export { ChannelNotes } from './channel-notes.tsx'
export { ChannelWatchOptions } from './channel-watch-options.tsx'
