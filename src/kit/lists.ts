import * as z from 'zod/mini'
import { csvFile } from './download.ts'
import { getFile } from './endpoint.ts'
import type { Needs } from './permissions.ts'
import { singleLine } from './text.ts'

/** The query schema of an admin list. The first sort is the default; `more` adds filters. */
export const listQuery = <
  const Sorts extends readonly [string, ...string[]],
  More extends z.core.$ZodLooseShape = Record<never, never>,
>(
  sorts: Sorts,
  more: More = {} as More,
) =>
  z.object({
    page: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(1_000_000))),
    pageSize: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(500))),
    sort: z.optional(z.enum(sorts)),
    order: z.optional(z.enum(['asc', 'desc'])),
    search: z.optional(singleLine(0, 254, '')),
    ...more,
  })

/** The endpoint that exports a whole list as CSV, with the search, filters and sort of `query`. */
export const csvOf = <Path extends `/admin/${string}.csv`>(
  path: Path,
  { needs, summary, query }: { needs: Needs; summary: string; query: z.ZodMiniObject },
) =>
  getFile(path, {
    summary,
    access: 'admin',
    needs,
    limit: 'export',
    file: 'text/csv',
    query: z.omit(query, { page: true, pageSize: true } as never),
    output: csvFile,
  })
