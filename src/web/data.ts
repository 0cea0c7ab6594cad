import { QueryClient, type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Call } from '#kit/caller.ts'
import type { AnyEndpoint, Input, Output } from '#kit/endpoint.ts'

/** A query client that carries its caller, so a query never knows on which side of the wire it runs. Defaults: specification 9. */
export class DataClient extends QueryClient {
  readonly call: Call
  constructor(call: Call) {
    super({
      defaultOptions: {
        queries: {
          staleTime: Number.POSITIVE_INFINITY,
          retry: false,
          refetchOnWindowFocus: false,
          refetchOnReconnect: false,
        },
        mutations: { retry: false, networkMode: 'always' },
      },
    })
    this.call = call
  }
}
export const callOf = (client: QueryClient): Call => (client as DataClient).call

type Reading = AnyEndpoint & { method: 'GET'; file?: undefined; document?: undefined }
type NoInput<E> = Record<never, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/** The query of an endpoint: for loaders, `useSuspenseQuery` and `useQuery` alike. */
export function query<E extends Reading>(endpoint: E, ...[input]: NoInput<E>) {
  return queryOptions({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ client, signal }): Promise<Output<E>> => callOf(client)(endpoint, (input ?? {}) as Input<E>, signal),
  })
}
const queryKey = (endpoint: AnyEndpoint, input: unknown): QueryKey => (input ? [endpoint.id, input] : [endpoint.id])

type Listing = Reading & { paged: true; query: unknown }
type RowOf<E> = Output<E> extends { rows: (infer R)[] } ? R : never

/** Reads one row of a list anew, found by a search, and the list with it. */
export function useRowAgain<E extends Listing>(list: E): (search: string, id: number) => Promise<RowOf<E> | undefined> {
  const client = useQueryClient()
  return async (search, id) => {
    const { rows } = (await callOf(client)(list, { query: { search, pageSize: 100 } } as Input<E>)) as {
      rows: { id: number }[]
    }
    await refresh(client, [list.id])
    return rows.find((row) => row.id === id) as RowOf<E> | undefined
  }
}

/** Sends a write; when it succeeded, the answers of `refreshes` are fetched again. */
export function useSend<E extends AnyEndpoint & { method: 'POST' | 'PUT' | 'DELETE' }>(
  endpoint: E,
  refreshes: AnyEndpoint[] = [],
) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: [endpoint.id],
    mutationFn: (input: Input<E>): Promise<Output<E>> => callOf(client)(endpoint, input),
    onSuccess: async () => {
      await Promise.all(refreshes.filter((e) => e.cacheSeconds).map(pastTheBrowsersCache))
      await refresh(
        client,
        refreshes.map((e) => e.id),
      )
    },
  })
}

/** A public list may be kept by the browser for a minute: whoever just changed it sees it changed. */
const pastTheBrowsersCache = ({ path }: AnyEndpoint): Promise<unknown> =>
  fetch(path, { cache: 'reload' }).then(
    (answer) => answer.text(),
    () => undefined,
  )

/** Fetches the answers of these endpoints again, where a view shows them; drops them where none does. */
export const refresh = (client: QueryClient, endpointIds: string[]): Promise<unknown> =>
  Promise.all(endpointIds.map((id) => client.invalidateQueries({ queryKey: [id] })))
