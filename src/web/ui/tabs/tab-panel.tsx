import type { ReactNode } from 'react'

interface Props {
  /** The id given to Tabs. */
  id: string
  value: string
  className?: string
  children: ReactNode
}

/** The content of the selected tab: render it once with the selected value. */
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
