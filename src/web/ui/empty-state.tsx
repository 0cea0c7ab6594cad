import type { ReactNode } from 'react'
import { Mascot } from '../brand/mascot.tsx'

interface Props {
  title?: ReactNode
  children?: ReactNode
  /** A Button or ButtonLink. */
  action?: ReactNode
  className?: string
}

export function EmptyState({ title, children, action, className }: Props) {
  return (
    <div className={className ? `empty ${className}` : 'empty'}>
      <Mascot tier={1} eyes={1} size={72} lid={0.9} look={[0, 0.3]} />
      {title && <p className="empty-title">{title}</p>}
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}
