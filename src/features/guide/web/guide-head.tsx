import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { announce } from '#web/ui/announce.ts'
import { useEarlyInput } from '#web/ui/form/use-early-input.ts'
import { searchLength } from '../rules.ts'
import type { GuideDay } from '../view-rules.ts'
import { type GuideSearch, matchMissingParameters } from './guide-search.ts'

interface Props {
  days: readonly GuideDay[]
  day: GuideDay
  search: GuideSearch
  onSearch: (q: string) => void
  /** The switch between grid and list. */
  children?: ReactNode
}
const searchDelayMs = 200

/** The title, days and search of the guide. Days are links and the search is a form, so that both work without scripts. */
export function GuideHead({ days, day, search, onSearch, children }: Props) {
  const head = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(search.q ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(search.q ?? ''), [search.q])
  useEarlyInput(head)
  const type = (value: string) => {
    setText(value)
    clearTimeout(timer.current)
    const words = value.trim()
    if (words === '' || words.length >= searchLength.min)
      timer.current = setTimeout(() => onSearch(words), searchDelayMs)
  }
  return (
    <div ref={head} className="guide-head">
      <h1>Guide</h1>
      <nav className="guide-days" aria-label="Day">
        {days.map(({ day: date, name, number, long, isToday }) => (
          <Link
            key={date}
            to={'/guide' as never}
            search={
              // A search without a day covers all days.
              { ...search, at: undefined, show: undefined, day: isToday && !search.q ? undefined : date } as never
            }
            replace
            resetScroll={false}
            activeOptions={matchMissingParameters}
            aria-current={date === day.day && (search.day || !search.q) ? 'date' : undefined}
            onClick={() => announce(long)}
          >
            <span className="guide-day" aria-hidden="true">
              {name} <b className="num">{number}</b>
            </span>
            <span className="sr-only">{long}</span>
          </Link>
        ))}
      </nav>
      <form action="/guide" onSubmit={(event) => event.preventDefault()}>
        {(['day', 'category', 'view'] as const).map(
          (name) => search[name] && <input key={name} type="hidden" name={name} value={search[name]} />,
        )}
        <label className="guide-search">
          <Search size={18} aria-hidden="true" />
          <input
            type="search"
            name="q"
            aria-label="Search programs and channels"
            placeholder="Search programs and channels"
            autoComplete="off"
            maxLength={searchLength.max}
            value={text}
            onChange={({ target }) => type(target.value)}
          />
        </label>
      </form>
      {children}
    </div>
  )
}
