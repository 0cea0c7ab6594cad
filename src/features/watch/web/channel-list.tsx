import { Search, Undo } from 'lucide-react'
import { useRef, useState } from 'react'
import { categoryName } from '#features/catalog/rules.ts'
import type { NowNext } from '#features/guide/rules.ts'
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { useEarlyInput } from '#web/ui/form/use-early-input.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import type { Watch } from '../contract.ts'
import { favoritesFirst, reasons } from '../rules.ts'
import { ChannelProgram } from './channel-program.tsx'

type Channel = Watch['channels'][number]
interface Props {
  channels: readonly Channel[]
  favorites: ReadonlySet<number>
  recent: readonly number[]
  current: number | undefined
  /** What is on now and next at the time `at`, by channel id. */
  programs: ReadonlyMap<number, NowNext> | undefined
  at: number
  isPlaying: boolean
  onChoose: (channelId: number) => void
  onLast: (() => void) | undefined
}
const views = [
  { value: 'favorites', label: 'Favorites' },
  { value: 'recent', label: 'Recent' },
  { value: 'all', label: 'All' },
] as const
type View = (typeof views)[number]['value']

/** The channels next to the player, as buttons that play them. */
export function ChannelList({
  channels,
  favorites,
  recent,
  current,
  programs,
  at,
  isPlaying,
  onChoose,
  onLast,
}: Props) {
  const section = useRef<HTMLElement>(null)
  const [search, setSearch] = useState('')
  const [view, setView] = useState<View>('all')
  useEarlyInput(section)
  const words = search.trim().toLowerCase()
  const inView = {
    all: favoritesFirst(channels, favorites),
    favorites: channels.filter(({ id }) => favorites.has(id)),
    recent: recent.flatMap((id) => channels.find((channel) => channel.id === id) ?? []),
  }[view]
  const shown = inView.filter(({ id, name }) =>
    [name, programs?.get(id)?.now?.title ?? ''].some((text) => text.toLowerCase().includes(words)),
  )
  return (
    <section ref={section} className="zap" aria-labelledby="zap-title">
      <div className="zap-head">
        <h2 id="zap-title">Channels</h2>
        {onLast && (
          <Button variant="ghost" size="sm" onClick={onLast}>
            <Undo size={16} />
            Last channel
          </Button>
        )}
      </div>
      <label className="zap-search">
        <Search size={18} aria-hidden="true" />
        <input
          type="search"
          aria-label="Search channels and programs"
          placeholder="Search channels and programs"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </label>
      <Segmented legend="Show" options={views} value={view} onChange={setView} />
      {shown.length === 0 && <p className="zap-empty">{emptyText(view, words)}</p>}
      <ul className="zap-list">
        {shown.map(({ id, name, number, category, logo, blocked }) => (
          <li key={id}>
            <button
              type="button"
              className="zap-channel"
              aria-current={id === current || undefined}
              aria-disabled={blocked !== null}
              onClick={() => blocked === null && onChoose(id)}
            >
              <ChannelLogo logo={logo} />
              <span className="zap-text">
                <span className="zap-name">
                  {number !== null && <span className="num">{number}</span>}
                  <b>{name}</b>
                  {id === current && isPlaying && <em>Watching</em>}
                </span>
                {programs?.get(id)?.now && !blocked ? (
                  <ChannelProgram {...programs.get(id)!} at={at} />
                ) : (
                  <span>{blocked ? reasons[blocked] : categoryName(category)}</span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function emptyText(view: View, words: string): string {
  if (words) return 'No channels or programs match your search.'
  return view === 'favorites' ? 'No favorites yet. Add channels to your watchlist.' : 'No channels yet.'
}
