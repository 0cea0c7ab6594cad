import { type DehydratedState, dehydrate, hydrate, type QueryClient, type QueryKey } from '@tanstack/react-query'

/**
 * The queries that the server sends to the browser with a page. `loaded`: successful queries as key, data and time of the data (epoch milliseconds). `failed`:
 * failed queries with their whole state.
 */
export type TransferredQueries = { loaded: [QueryKey, unknown, number][]; failed?: DehydratedState }

/**
 * Returns the queries that the server has made. The library's own format takes 300 bytes more for each query, which would be a third of the data of a page.
 * Pages are rendered to a string, so no query starts after this call.
 */
export function dehydrateQueries(client: QueryClient): TransferredQueries {
  const loaded = client
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.status === 'success' })
    .map(({ queryKey, state }): TransferredQueries['loaded'][number] => [queryKey, state.data, state.dataUpdatedAt])
  const failed = dehydrate(client, { shouldDehydrateQuery: ({ state }) => state.status === 'error' })
  return failed.queries.length > 0 ? { loaded, failed } : { loaded }
}

/** Adds the server's queries to the browser's query client, before hydration. */
export function hydrateQueries(client: QueryClient, { loaded, failed }: TransferredQueries): void {
  for (const [key, data, updatedAt] of loaded) client.setQueryData(key, data, { updatedAt })
  if (failed) hydrate(client, failed)
}
