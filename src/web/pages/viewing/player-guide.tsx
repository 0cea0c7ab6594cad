import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { getGuideNow } from '#features/guide/contract.ts'
import { elapsedFraction, type GuideProgram, type NowNext, programOf, timeLeft } from '#features/guide/rules.ts'
import { startOfHalfHour } from '#features/guide/view-rules.ts'
import { Archives } from '#features/guide/web/archives.ts'
import { guideQuery } from '#features/guide/web/guide-query.ts'
import type { Watch, WatchChannel } from '#features/watch/contract.ts'
import { useDismissableLayer } from '#features/watch/web/player/use-dismissable-layer.ts'
import { leaveFullScreen } from '#features/watch/web/player-actions.ts'
import { clockRange } from '#kit/clock.ts'
import { ChannelLogo } from '../../brand/channel-logo.tsx'
import { query } from '../../data.ts'
import { useTimeZone } from '../../ui/time/use-time-zone.ts'
import { cellsOf, moveSpot, type Spot, shownRows } from './player-guide-rules.ts'

const ProgramDialog = lazy(() =>
  import('#features/guide/web/program-dialog.tsx').then((module) => ({ default: module.ProgramDialog })),
)

interface LayerProps {
  /** The channels that can be played here. */
  channels: Watch['channels']
  /** The id of the channel that plays. */
  current: number
  /** What is on now and next, by channel id; undefined until it is loaded. */
  programs: ReadonlyMap<number, NowNext> | undefined
  /** The current time, in milliseconds. */
  at: number
  onChoose: (id: number) => void
  onClose: () => void
}
type Details = { channel: WatchChannel; program: GuideProgram; isOpen: boolean }
/** The same number as in the strip of today's programs below the player, so that both use one response. */
const hoursAhead = 6
/** Returns the cells in the row of `cell` for which the window has room. */
const shownCells = (cell: Element | null | undefined): HTMLElement[] =>
  [...(cell?.closest('li')?.querySelectorAll('button') ?? [])].filter(({ offsetWidth }) => offsetWidth > 0)
const closingKeys = ['Escape', 'Backspace', 'GoBack', 'BrowserBack', 'g', 'G']

/**
 * The guide over the picture: the channel that plays with its programs, and the channels beside it. Arrow keys move between the programs. Enter tunes to
 * another channel, or opens the details of a program.
 */
export function PlayerGuide({ channels, current, programs, at, onChoose, onClose }: LayerProps) {
  const zone = useTimeZone()
  const router = useRouter()
  const layer = useRef<HTMLElement>(null)
  const opener = useRef<HTMLElement>(null)
  const home = Math.max(
    0,
    channels.findIndex(({ id }) => id === current),
  )
  const [spot, setSpot] = useState<Spot>({ row: home, column: 0 })
  const [details, setDetails] = useState<Details>()
  const { isError } = useQuery(query(getGuideNow))
  const { data } = useQuery({ ...guideQuery([current], startOfHalfHour(at), hoursAhead), enabled: at > 0 })
  const listings = useMemo(
    () =>
      data?.rows.flatMap(([id, row]) => (id === current ? row.map((p) => programOf(Date.parse(data.from), p)) : [])),
    [data, current],
  )
  const archives = useMemo(() => new Map(channels.map(({ id, archiveHours }) => [id, archiveHours])), [channels])
  const cells = (channel: WatchChannel) =>
    cellsOf(programs?.get(channel.id) ?? {}, (channel.id === current && listings) || [], at)

  useDismissableLayer(layer, () => !details?.isOpen && onClose())
  const focused = channels[spot.row]
  const focusedColumn = focused ? Math.min(spot.column, cells(focused).length - 1) : 0
  const focusedCell = () => layer.current?.querySelector<HTMLElement>('[tabindex="0"]')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the position changes
  useEffect(() => {
    if (!details?.isOpen) focusedCell()?.focus()
  }, [spot.row, focusedColumn])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the document
  useEffect(() => {
    const showFocused = () => {
      const cell = focusedCell()
      const shown = shownCells(cell)
      const last = shown.at(-1)
      if (!cell || !last) return
      if (shown.includes(cell)) return cell.scrollIntoView({ block: 'nearest' })
      if (opener.current === cell) opener.current = last
      setSpot(({ row }) => ({ row, column: shown.length - 1 }))
    }
    addEventListener('resize', showFocused)
    return () => removeEventListener('resize', showFocused)
  }, [])
  const close = useRef(onClose)
  close.current = onClose
  // Closes the guide when a link in the details of a program has started playback.
  useEffect(() => router.subscribe('onResolved', () => close.current()), [router])

  const showDetails = (channel: WatchChannel, program: GuideProgram | undefined) => {
    if (!program) return
    opener.current = document.activeElement as HTMLElement | null
    leaveFullScreen()
    setDetails({ channel, program, isOpen: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!focused || event.ctrlKey || event.altKey || event.metaKey) return
    // The dialog takes the focus only after it has opened. A key pressed before that is meant for the dialog.
    if (details?.isOpen) return
    const row = cells(focused)
    // Narrow windows hide the later programs.
    const columns = Math.max(1, shownCells(focusedCell()).length)
    const moved = moveSpot(event.key, spot, { rows: channels.length, columns, home })
    if (moved) setSpot(moved)
    else if (closingKeys.includes(event.key)) onClose()
    else if (event.key.toLowerCase() === 'i') showDetails(focused, row[focusedColumn])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <section className="player-guide" aria-label="Guide" data-menu ref={layer} onKeyDown={onKeyDown}>
        <header>
          <h3>Guide</h3>
          <Link to={'/guide' as never} className="link">
            Open the guide
          </Link>
          <button
            type="button"
            className="player-control"
            aria-label="Close the guide"
            title="Close the guide (Esc)"
            onClick={onClose}
          >
            <X />
          </button>
        </header>
        {!programs && <p role="status">{isError ? 'The listings are not here right now.' : 'Loading the listings…'}</p>}
        <ol>
          {shownRows(channels, spot.row).map((channel) => {
            const { id, name, number, logo } = channel
            const isCurrent = id === current
            const row = cells(channel)
            const column = channel === focused ? focusedColumn : -1
            return (
              <li key={id} aria-current={isCurrent || undefined}>
                <span className="player-guide-channel">
                  <ChannelLogo logo={logo} />
                  <b className="num">{[number, name].filter(Boolean).join(' ')}</b>
                </span>
                {row.map((program, n) => {
                  const opensDetails = program !== undefined && (n > 0 || isCurrent)
                  return (
                    <button
                      // biome-ignore lint/suspicious/noArrayIndexKey: a cell keeps the focus when its program changes
                      key={n}
                      type="button"
                      tabIndex={n === column ? 0 : -1}
                      aria-haspopup={opensDetails ? 'dialog' : undefined}
                      onClick={({ currentTarget }) => {
                        currentTarget.focus()
                        if (opensDetails) showDetails(channel, program)
                        else if (isCurrent) onClose()
                        else onChoose(id)
                      }}
                    >
                      <b>{program?.title ?? (programs ? 'No listings' : name)}</b>
                      <span className="num">
                        {program && n > 0 && clockRange(program.startsAt, program.endsAt, zone)}
                        {program && n === 0 && timeLeft(program.endsAt, at)}
                      </span>
                      <span className="sr-only">
                        {[n === 0 && program && 'On now', name, n === 0 && isCurrent && 'You are watching this channel']
                          .filter(Boolean)
                          .join('. ')}
                      </span>
                      {program && n === 0 && (
                        <progress
                          className="program-over"
                          aria-hidden="true"
                          max={1}
                          value={elapsedFraction(program, at)}
                        />
                      )}
                    </button>
                  )
                })}
              </li>
            )
          })}
        </ol>
      </section>
      {details && (
        <Suspense>
          <Archives value={archives}>
            <ProgramDialog
              channel={details.channel}
              program={details.program}
              at={at}
              open={details.isOpen}
              onOpenChange={(isOpen) => setDetails({ ...details, isOpen })}
              returnTo={opener}
            />
          </Archives>
        </Suspense>
      )}
    </>
  )
}
