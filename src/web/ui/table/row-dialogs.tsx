import { createContext, type ReactNode, Suspense } from 'react'
import { useOpened } from '../use-opened.ts'
import type { Row } from './data-table-features.ts'

/** What a dialog about one row of a DataTable is given; it is open from its first rendering, and rendered anew for every opening. */
export interface RowDialogProps<R> {
  /** The row as it was shown when its button was pressed: what is decided about. */
  opened: R
  /** The same row as the list shows it now, if it does: it changes under an open dialog when somebody else acts. */
  current?: R | undefined
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
}
export type RowDialog<R> = (props: RowDialogProps<R>) => ReactNode
type About = { row: Row; Dialog: RowDialog<never> }

/** Opens a dialog about a row; a RowButton asks for it. */
export const RowDialogContext = createContext<(about: About, button: HTMLElement) => void>(() => undefined)

interface Props {
  rows: readonly Row[] | undefined
  tableId: string
  children: ReactNode
}

/** Holds the dialog of a row outside of the table: the row may be gone while it is open. */
export function RowDialogs({ rows, tableId, children }: Props) {
  const [opened, open] = useOpened<About>(tableId)
  return (
    <RowDialogContext value={open}>
      {children}
      <Suspense>
        {opened && (
          <opened.about.Dialog
            key={opened.turn}
            opened={opened.about.row as never}
            current={rows?.find(({ id }) => id === opened.about.row.id) as never}
            returnTo={opened.returnTo}
          />
        )}
      </Suspense>
    </RowDialogContext>
  )
}
