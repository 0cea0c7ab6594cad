import { useNavigate, useSearch } from '@tanstack/react-router'

/** Returns the value of the query parameter `open` for the URL of a list: the dialog of this action opens for the row once the list shows the row. */
export const openRow = (id: number | string, action: string): string => `${id}.${action}`

/** Returns whether the URL opens the dialog of this row and action, and a function that removes the parameter from the URL. */
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
