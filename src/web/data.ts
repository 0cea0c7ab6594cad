import { QueryClient, type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Call } from '#kit/caller.ts'
import type { AnyEndpoint, Input, Output } from '#kit/endpoint.ts'

/** A query client that carries its caller, so a query never knows on which side of the wire it runs. Defaults: specification 9. */
export class DataClient extends QueryClient {
  readonly call: Call
  constructor(call: Call) {
    super({
      defaultOptions: {
        queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
        mutations: { retry: false, networkMode: 'always' },
      },
    })
    this.call = call
  }
}
export const callOf = (client: QueryClient): Call => (client as DataClient).call

type Reading = AnyEndpoint & { method: 'GET'; file?: undefined }
type NoInput<E> = Record<never, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/** The query of an endpoint: for loaders, `useSuspenseQuery` and `useQuery` alike. */
export function query<E extends Reading>(endpoint: E, ...[input]: NoInput<E>) {
  return queryOptions({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ client, signal }): Promise<Output<E>> => callOf(client)(endpoint, (input ?? {}) as Input<E>, signal),
  })
}
const queryKey = (endpoint: AnyEndpoint, input: unknown): QueryKey => (input ? [endpoint.id, input] : [endpoint.id])

/** Sends a write; when it succeeded, the answers of `refreshes` are fetched again. */
export function useSend<E extends AnyEndpoint & { method: 'POST' | 'PUT' }>(endpoint: E, refreshes: AnyEndpoint[] = []) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: [endpoint.id],
    mutationFn: (input: Input<E>): Promise<Output<E>> => callOf(client)(endpoint, input),
    onSuccess: () =>
      refresh(
        client,
        refreshes.map((e) => e.id),
      ),
  })
}

/** Fetches the answers of these endpoints again, where a view shows them; drops them where none does. */
export const refresh = (client: QueryClient, endpointIds: string[]): Promise<unknown> =>
  Promise.all(endpointIds.map((id) => client.invalidateQueries({ queryKey: [id] })))
