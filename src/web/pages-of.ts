import { queryOptions } from '@tanstack/react-query'
import type { Input, Output } from '#kit/endpoint.ts'
import { callOf, type ReadEndpoint } from './data.ts'

/**
 * Returns the query options for the first `count` pages of an endpoint. The data is the list of pages; each page starts where the previous one ends. The
 * previous data stays visible while the next page is fetched. An infinite query is not used: every visitor would have to download its code.
 */
export function pagesOf<E extends ReadEndpoint>(
  endpoint: E,
  count: number,
  inputOf: (position: string | undefined) => Input<E>,
  nextOf: (page: Output<E>) => string | null,
) {
  return queryOptions({
    queryKey: [endpoint.id, 'pages', inputOf(undefined), count],
    queryFn: async ({ client, signal }): Promise<Output<E>[]> => {
      const pages: Output<E>[] = []
      let position: string | null = null
      do {
        const page: Output<E> = await callOf(client)(endpoint, inputOf(position ?? undefined), signal)
        pages.push(page)
        position = nextOf(page)
      } while (position !== null && pages.length < count)
      return pages
    },
    placeholderData: (previous) => (count > 1 ? previous : undefined),
  })
}
