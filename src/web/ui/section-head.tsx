import type { ReactNode } from 'react'

/** Heading of one section of a page, with its lead and at most one link or button. */
export function SectionHead({
  title,
  lead,
  action,
  id,
}: {
  title: ReactNode
  lead?: ReactNode
  action?: ReactNode
  id?: string
}) {
  return (
    <div className="page-head">
      <div>
        <h2 id={id}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      {action}
    </div>
  )
}
