import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Spinner } from '#web/ui/spinner.tsx'

interface Props {
  number: number
  title: string
  state: 'done' | 'working' | 'current' | 'later'
  /** Shown beside the title: a time or a duration. */
  aside?: ReactNode
  children?: ReactNode
}

/** Announced by screen readers before the title. */
const statePrefixes = { done: 'Done: ', working: 'In progress: ', current: '', later: '' }

/** One step of the guided setup. */
export function SetupStep({ number, title, state, aside, children }: Props) {
  return (
    <li className={clsx('watching-step', state === 'done' && 'watching-step-done')}>
      <span
        aria-hidden="true"
        className={clsx(
          'display z-1 grid size-10 place-items-center rounded-full border text-15',
          state === 'done' && 'border-ok bg-ok text-surface',
          state === 'working' && 'bg-surface-2',
          state === 'current' && 'border-bar-mustard bg-bar-mustard text-ink',
          state === 'later' && 'text-fg-2',
        )}
      >
        {state === 'done' ? <Check size={20} /> : state === 'working' ? <Spinner /> : number}
      </span>
      <div className="min-w-0 pt-1.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h3 className={clsx('text-lg', state === 'later' && 'text-fg-2')}>
            {statePrefixes[state] && <span className="sr-only">{statePrefixes[state]}</span>}
            {title}
          </h3>
          {aside && <span className="text-sm text-fg-2">{aside}</span>}
        </div>
        {children && <div className="mt-1.5 grid gap-3 text-fg-2">{children}</div>}
      </div>
    </li>
  )
}
