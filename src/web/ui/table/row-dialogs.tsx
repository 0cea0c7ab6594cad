import { createContext, type ReactNode, Suspense } from 'react'
import { useOpenDialog } from '../dialog/use-open-dialog.ts'
import type { Row } from './data-table-features.ts'

/** The props of a dialog for one row of a DataTable. The dialog is mounted again for every opening and is initially open. */
export interface RowDialogProps<R> {
  /** The row at the time its button was clicked: the version that the administrator sees and decides on. */
  opened: R
  /** The same row as currently in the list, if the list still has it. It changes when someone else updates it while the dialog is open. */
  current?: R | undefined
  /** Gets the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
}
export type RowDialog<R> = (props: RowDialogProps<R>) => ReactNode
type Subject = { row: Row; Dialog: RowDialog<never> }

/** Opens a dialog for a row; used by RowButton. */
export const RowDialogContext = createContext<(subject: Subject, button: HTMLElement) => void>(() => undefined)

interface Props {
  rows: readonly Row[] | undefined
  tableId: string
  children: ReactNode
}

/** Renders the dialog of a row outside of the table, since the row may disappear while the dialog is open. */
export function RowDialogs({ rows, tableId, children }: Props) {
  const [opened, open] = useOpenDialog<Subject>(tableId)
  return (
    <RowDialogContext value={open}>
      {children}
      <Suspense>
        {opened && (
          <opened.subject.Dialog
            key={opened.openCount}
            opened={opened.subject.row as never}
            current={rows?.find(({ id }) => id === opened.subject.row.id) as never}
            returnTo={opened.returnTo}
          />
        )}
      </Suspense>
    </RowDialogContext>
  )
}
