import { type ReactNode, use, useEffect, useRef } from 'react'
import type { Needs } from '#kit/permissions.ts'
import { Button } from '../button/button.tsx'
import { useMay } from '../permission/use-may.ts'
import type { Row } from './data-table-features.ts'
import { type RowDialog, RowDialogContext } from './row-dialogs.tsx'
import { useOpenedByAddress } from './use-opened-by-address.ts'

interface Props<R extends Row> {
  row: R
  /** The lazily loaded dialog that opens for the row. */
  dialog: RowDialog<R>
  /** Completes the accessible name: "of report 5". */
  describes: string
  /** The row needs an action by an administrator: the button is emphasized. */
  urgent?: boolean
  /** The name of the action in a URL that opens the dialog, see `openRow`. Default: `manage`. */
  action?: string
  /** The permission to use it; without the permission there is no button. */
  needs?: Needs | undefined
  children: ReactNode
}

/** The button at the end of a row of a DataTable. */
export function RowButton<R extends Row>({
  row,
  dialog: Dialog,
  describes,
  urgent = false,
  action = 'manage',
  needs,
  children,
}: Props<R>) {
  const may = useMay()
  const open = use(RowDialogContext)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpened, forget] = useOpenedByAddress(row.id, action)
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once for each URL
  useEffect(() => {
    if (!isOpened || !button.current) return
    open({ row, Dialog }, button.current)
    forget()
  }, [isOpened])
  if (needs !== undefined && !may(needs)) return null
  return (
    <Button
      ref={button}
      variant={urgent ? 'ink' : 'soft'}
      size="sm"
      onClick={({ currentTarget }) => open({ row, Dialog }, currentTarget)}
    >
      {children}
      <span className="sr-only"> {describes}</span>
    </Button>
  )
}
