import { Link } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { channelFilters } from '#features/catalog/rules.ts'
import { useNow } from '#web/ui/time/use-now.ts'
import { type GuideSearch, matchMissingParameters } from './guide-search.ts'

interface Props {
  search: GuideSearch
  /** Called when a filter is chosen, to announce it. */
  onChoose: (filter: string) => void
  children?: ReactNode
}
const filters = [{ id: 'favorites', name: 'Favorites' }, ...channelFilters]

/** The category filters of the guide: a toolbar with one tab stop and arrow keys. The filters are links, so that they work without scripts. */
export function GuideFilters({ search, onChoose, children }: Props) {
  const chosen = search.category ?? 'all'
  const [focused, setFocused] = useState<string>()
  const bar = useRef<HTMLDivElement>(null)
  // Without scripts every link needs a tab stop.
  const isInteractive = useNow() !== undefined
  const move = (event: KeyboardEvent) => {
    const links = [...(bar.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: links.length - 1 }[event.key]
    if (to === undefined || at < 0) return
    event.preventDefault()
    links.at(to % links.length)?.focus()
  }
  return (
    <div className="guide-filters">
      <div ref={bar} className="guide-pills" role="toolbar" aria-label="Category" onKeyDown={move}>
        {filters.map(({ id, name }) => (
          <Link
            key={id}
            to={'/guide' as never}
            search={{ ...search, show: undefined, category: id === 'all' ? undefined : id } as never}
            replace
            resetScroll={false}
            className="guide-pill"
            activeOptions={matchMissingParameters}
            aria-current={id === chosen ? 'true' : undefined}
            tabIndex={isInteractive && id !== (focused ?? chosen) ? -1 : undefined}
            onFocus={() => setFocused(id)}
            onBlur={() => setFocused(undefined)}
            onClick={() => onChoose(id)}
          >
            {id === 'favorites' && <Star size={16} aria-hidden="true" />}
            {name}
          </Link>
        ))}
      </div>
      {children}
    </div>
  )
}
