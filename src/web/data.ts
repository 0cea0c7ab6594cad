import { QueryClient, type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Call } from '#kit/caller.ts'
import type { AnyEndpoint, Input, Output } from '#kit/endpoint.ts'

/**
 * A query client that also holds the function that calls endpoints. The function differs between server and browser, so the same queries work in both.
 * Defaults: specification 9.
 */
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

export type ReadEndpoint = AnyEndpoint & { method: 'GET'; file?: undefined; document?: undefined }
type NoInput<E> = Record<never, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/** Returns the query options of an endpoint, for loaders, `useSuspenseQuery` and `useQuery`. */
export function query<E extends ReadEndpoint>(endpoint: E, ...[input]: NoInput<E>) {
  return queryOptions({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ client, signal }): Promise<Output<E>> => callOf(client)(endpoint, (input ?? {}) as Input<E>, signal),
  })
}

const queryKey = (endpoint: AnyEndpoint, input: unknown): QueryKey => (input ? [endpoint.id, input] : [endpoint.id])

type ListEndpoint = ReadEndpoint & { paged: true; query: unknown }
type RowOf<E> = Output<E> extends { rows: (infer R)[] } ? R : never

/**
 * Returns a function that finds a row in the list on the server, by a search text and the row's id, and refreshes the list. The function resolves to undefined
 * if the row is not found.
 */
export function useReloadRow<E extends ListEndpoint>(
  list: E,
): (search: string, id: number) => Promise<RowOf<E> | undefined> {
  const client = useQueryClient()
  return async (search, id) => {
    const { rows } = (await callOf(client)(list, { query: { search, pageSize: 100 } } as Input<E>)) as {
      rows: { id: number }[]
    }
    await refresh(client, [list.id])
    return rows.find((row) => row.id === id) as RowOf<E> | undefined
  }
}

/** Returns a mutation that calls an endpoint that changes data. After a success, the data of the endpoints in `refreshes` is fetched again. */
export function useSend<E extends AnyEndpoint & { method: 'POST' | 'PUT' | 'DELETE' }>(
  endpoint: E,
  refreshes: AnyEndpoint[] = [],
) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: [endpoint.id],
    mutationFn: (input: Input<E>): Promise<Output<E>> => callOf(client)(endpoint, input),
    onSuccess: async () => {
      await Promise.all(refreshes.filter((e) => e.cacheSeconds).map(bypassBrowserCache))
      await refresh(
        client,
        refreshes.map((e) => e.id),
      )
    },
  })
}

/** Browsers cache public lists for 60 seconds. This replaces the cached copy, so that administrators see their own change. */
const bypassBrowserCache = ({ path }: AnyEndpoint): Promise<unknown> =>
  fetch(path, { cache: 'reload' }).then(
    (response) => response.text(),
    () => undefined,
  )

/** Marks the cached data of these endpoints as stale and fetches the data again that mounted components use. */
export const refresh = (client: QueryClient, endpointIds: string[]): Promise<unknown> =>
  Promise.all(endpointIds.map((id) => client.invalidateQueries({ queryKey: [id] })))
