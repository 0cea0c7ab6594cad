import type { ReactNode } from 'react'

/** The heading of a page section, with a lead and at most one link or button. */
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
