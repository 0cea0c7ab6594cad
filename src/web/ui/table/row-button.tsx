import { type ReactNode, use } from 'react'
import { Button } from '../button/button.tsx'
import type { Row } from './data-table-features.ts'
import { type RowDialog, RowDialogContext } from './row-dialogs.tsx'

interface Props<R extends Row> {
  row: R
  /** The lazily loaded dialog that opens for the row. */
  dialog: RowDialog<R>
  /** Completes the accessible name: "of report 5". */
  describes: string
  /** The row needs an action of an administrator. */
  urgent?: boolean
  children: ReactNode
}

/** The button at the end of a row of a DataTable. */
export function RowButton<R extends Row>({ row, dialog: Dialog, describes, urgent = false, children }: Props<R>) {
  const open = use(RowDialogContext)
  return (
    <Button
      variant={urgent ? 'ink' : 'soft'}
      size="sm"
      onClick={({ currentTarget }) => open({ row, Dialog }, currentTarget)}
    >
      {children}
      <span className="sr-only"> {describes}</span>
    </Button>
  )
}
