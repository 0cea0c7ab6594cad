import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { messageOf } from '#kit/caller.ts'
import { ProgramScene } from '#web/brand/program-scene.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { leftText } from '../rules.ts'
import { firstLink, useForgetDialog } from './use-forget-dialog.tsx'
import { useWatchHistory } from './use-watch-history.ts'

interface Props {
  /** The `ref` of the program that is playing, which is not listed. */
  playing: string | undefined
}

/** Shows the recordings that the customer has not watched to the end, each with a link that resumes it. Renders nothing if there are none. */
export function ContinueStrip({ playing }: Props) {
  const { history, error, isFetching, refetch, remove, ...changes } = useWatchHistory()
  const { ask, dialog } = useForgetDialog(changes)
  const list = useRef<HTMLUListElement>(null)
  const removedAt = useRef<number>(undefined)
  const items = history?.items.filter(({ ref }) => ref !== playing) ?? []

  // The pressed button disappears with its card. Focuses the button of the next card, or the first link of the page if no card is left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once the list has changed
  useEffect(() => {
    if (removedAt.current === undefined) return
    const buttons = list.current?.querySelectorAll<HTMLElement>('li > button')
    const next = buttons?.[Math.min(removedAt.current, buttons.length - 1)] ?? firstLink()
    next?.focus({ preventScroll: true })
    removedAt.current = undefined
  }, [history])

  const isFailed = error !== null && !history
  return (
    <>
      {(isFailed || items.length > 0) && (
        <section className="today resume" aria-labelledby="continue-title">
          <div className="today-head">
            <h2 id="continue-title">Continue Watching</h2>
            {!isFailed && (
              <span className="resume-menu">
                <Button
                  variant="ghost"
                  size="sm"
                  aria-haspopup="dialog"
                  onClick={({ currentTarget }) => ask('all', currentTarget)}
                >
                  Remove All
                </Button>
                <Button
                  variant="ghost"
                  size="sm"
                  aria-haspopup="dialog"
                  onClick={({ currentTarget }) => ask('history', currentTarget)}
                >
                  Turn Off History
                </Button>
              </span>
            )}
          </div>
          {isFailed && (
            <ErrorState
              title="Continue Watching could not be loaded"
              message={messageOf(error)}
              pending={isFetching}
              onRetry={() => void refetch()}
            />
          )}
          {items.length > 0 && (
            <ul ref={list}>
              {items.map((item, index) => (
                <li key={item.ref}>
                  <Link
                    to={'/watch/{-$channelId}' as never}
                    params={{ channelId: String(item.channelId) } as never}
                    search={{ from: item.startsAt } as never}
                    state={{ play: true } as never}
                    // The player is at the top of the page, and the navigation does not scroll there.
                    onClick={() => scrollTo(0, 0)}
                  >
                    <span className="today-picture">
                      <ProgramScene title={item.title} detail={item.detail} category={item.category} />
                      <progress
                        className="program-over"
                        aria-hidden="true"
                        max={item.lengthMs}
                        value={item.positionMs}
                      />
                    </span>
                    <span className="today-when num">{leftText(item)}</span>
                    <b>{item.title}</b>
                    <span>{[item.channelName, item.detail].filter(Boolean).join(' · ')}</span>
                  </Link>
                  <button
                    type="button"
                    aria-label={`Remove ${item.title}`}
                    onClick={() => {
                      removedAt.current = index
                      remove(item, () => {
                        removedAt.current = undefined
                      })
                    }}
                  >
                    <X size={18} aria-hidden="true" />
                  </button>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {dialog}
    </>
  )
}
