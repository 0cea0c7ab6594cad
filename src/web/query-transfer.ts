import { type DehydratedState, dehydrate, hydrate, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** The queries of a page, for the browser: those with data as key, data and time (epoch milliseconds), failed ones with their whole state. */
export type TransferredQueries = { loaded: [QueryKey, unknown, number][]; failed?: DehydratedState }

/**
 * Returns what the server has fetched. The library's own form of a query is 300 bytes longer, which is a third of the data of a page. The pages are
 * rendered to a string, so nothing is fetched after this.
 */
export function dehydrateQueries(client: QueryClient): TransferredQueries {
  const loaded = client
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.status === 'success' })
    .map(({ queryKey, state }): TransferredQueries['loaded'][number] => [queryKey, state.data, state.dataUpdatedAt])
  const failed = dehydrate(client, { shouldDehydrateQuery: ({ state }) => state.status === 'error' })
  return failed.queries.length > 0 ? { loaded, failed } : { loaded }
}

/** Puts the queries of the server into the browser's client, before hydration. */
export function hydrateQueries(client: QueryClient, { loaded, failed }: TransferredQueries): void {
  for (const [key, data, updatedAt] of loaded) client.setQueryData(key, data, { updatedAt })
  if (failed) hydrate(client, failed)
}
