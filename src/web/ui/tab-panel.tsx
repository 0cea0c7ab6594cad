import type { ReactNode } from 'react'

interface Props {
  /** The id given to Tabs. */
  id: string
  value: string
  className?: string
  children: ReactNode
}

/** The panel of the chosen tab: render it once with the chosen value. */
export function TabPanel({ id, value, className, children }: Props) {
  return (
    <div
      role="tabpanel"
      id={`${id}-panel-${value}`}
      aria-labelledby={`${id}-tab-${value}`}
      tabIndex={0}
      className={className}
    >
      {children}
    </div>
  )
}
