import type { ReactNode } from 'react'

interface Props {
  title: ReactNode
  /** A picture before the title. */
  mark?: ReactNode
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  className?: string
}

/** The h1 of a page, with a tabIndex because it gets the focus after a navigation. */
export function PageHeader({ title, mark, lead, actions, className }: Props) {
  return (
    <div className={className ? `page-head ${className}` : 'page-head'}>
      {mark}
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2.5">{actions}</div>}
    </div>
  )
}
