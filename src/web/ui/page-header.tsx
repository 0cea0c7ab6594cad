import type { ReactNode } from 'react'

interface Props {
  title: ReactNode
  lead?: ReactNode
  /** Buttons at the end of the line. */
  actions?: ReactNode
  className?: string
}

/** The one h1 of a page. It takes the focus after a navigation, hence the tabIndex. */
export function PageHeader({ title, lead, actions, className }: Props) {
  return (
    <div className={className ? `page-head ${className}` : 'page-head'}>
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2.5">{actions}</div>}
    </div>
  )
}
