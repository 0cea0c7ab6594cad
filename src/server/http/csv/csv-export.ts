import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { CsvFile } from '#kit/download.ts'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { audit } from '../../audit.ts'
import { type List, readAll } from '../../lists/list.ts'
import { type AppContext, type HandlerContext, implement, type Route } from '../route.ts'
import { type CsvColumns, csvText } from './csv.ts'

type CsvEndpoint = AnyEndpoint & { access: 'admin'; file: 'text/csv'; query: z.core.$ZodType }
type AnyList<Row extends { id: number }> = List<Row, never, never>

/** Returns the route for a CSV endpoint, which streams the whole filtered list. The audit log records who exported the list and with which filter. */
export const exportListRoute = <E extends CsvEndpoint, Row extends { id: number }>(
  endpoint: E,
  list: AnyList<Row> | ((context: AppContext) => AnyList<Row>),
  columns: CsvColumns<Row>,
): Route =>
  exportRowsRoute(
    endpoint,
    (context, query) => readAll(context.db, typeof list === 'function' ? list(context) : list, query as never),
    columns,
  )

/** Like `exportListRoute`, for rows that are not read from a table. */
export function exportRowsRoute<E extends CsvEndpoint, Row>(
  endpoint: E,
  rowsOf: (context: AppContext, query: z.output<E['query']>) => AsyncIterable<Row[]>,
  columns: CsvColumns<Row>,
): Route {
  const name = endpoint.path.replace(/^.*\/|\.csv$/g, '')
  const handler = async (context: HandlerContext<CsvEndpoint>): Promise<CsvFile> => {
    const { db, user, requestId, log, query } = context
    await audit(db, {
      actorId: user.id,
      action: 'list.export',
      targetType: 'list',
      targetId: name,
      after: query as Record<string, unknown>,
      requestId,
    })
    const [today] = (await db.execute<{ date: string }>(sql`select to_char(now(), 'YYYY-MM-DD') as date`)).rows
    return {
      name: `${name}-${today!.date}.csv`,
      text: csvText(rowsOf(context, query as never), columns, (error) =>
        log.error({ requestId, message: error.message }, 'export failed'),
      ),
    }
  }
  return implement(endpoint as CsvEndpoint, handler as never)
}
