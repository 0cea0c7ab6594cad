import { useNavigate, useSearch } from '@tanstack/react-router'

type Values<Name extends string> = Partial<Record<Name, string>>

/** Keeps additional filters of a list in the URL. Changing a filter returns to page 1. */
export function useAddressFilters<Name extends string>(
  names: readonly Name[],
): { values: Values<Name>; isSet: boolean; set: (change: { [name in Name]?: string | undefined }) => void } {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const values = Object.fromEntries(
    names.flatMap((name) => (typeof address[name] === 'string' && address[name] !== '' ? [[name, address[name]]] : [])),
  ) as Values<Name>
  return {
    values,
    isSet: Object.keys(values).length > 0,
    set: (change) =>
      void navigate({
        to: '.',
        search: ((before: Record<string, unknown>) => ({ ...before, page: undefined, ...change })) as never,
        resetScroll: false,
      }),
  }
}
