import { useNavigate, useSearch } from '@tanstack/react-router'

/** The value of `open` in the address of a list: the dialog of this action opens for the row once the list shows it. */
export const openRow = (id: number | string, action: string): string => `${id}.${action}`

/** Whether the address asks for the dialog of this row and action, and a function that removes that from the address. */
export function useOpenedByAddress(id: number | string, action: string): [isOpened: boolean, forget: () => void] {
  const { open }: { open?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  return [
    open === openRow(id, action),
    () =>
      void navigate({
        to: '.',
        search: ((before: Record<string, unknown>) => ({ ...before, open: undefined })) as never,
        replace: true,
        resetScroll: false,
      }),
  ]
}
