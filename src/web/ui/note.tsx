import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Clock, Info, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

const icons = { info: Info, warn: Clock, ok: CircleCheck, bad: CircleAlert } satisfies Record<string, LucideIcon>

interface Props {
  tone?: keyof typeof icons
  /** A button or link at the end. */
  action?: ReactNode
  /** `alert` for a new error, `status` for a new state. Omit it for a note that was there from the start. */
  role?: 'alert' | 'status'
  className?: string
  children: ReactNode
}

export function Note({ tone = 'info', action, role, className, children }: Props) {
  const Icon = icons[tone]
  return (
    <div role={role} className={clsx('note', tone !== 'info' && `note-${tone}`, className)}>
      <Icon size={20} />
      <div>{children}</div>
      {action}
    </div>
  )
}
