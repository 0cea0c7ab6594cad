import { useNavigate, useSearch } from '@tanstack/react-router'

/** The value of the query parameter `open` in the URL of a list: opens the dialog of this action for the row once the list shows it. */
export const openRow = (id: number | string, action: string): string => `${id}.${action}`

/** Whether the URL opens the dialog of this row and action, and a function that removes the parameter from the URL. */
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
